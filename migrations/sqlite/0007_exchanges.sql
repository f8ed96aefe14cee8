ALTER TABLE `attempts` ADD `exchange` text;--> statement-breakpoint
ALTER TABLE `events` ADD `exchange` text;