-- oldest release: 0.1.0
ALTER TABLE `timezones` ADD `replan_cursor` text;
