-- oldest release: 0.1.0
-- By hand: WITHOUT ROWID as in 0000, the first counts, and the triggers. A timezone without people leaves no row: the name could
-- be all that is left of an erased person.
CREATE TABLE `zone_counts` (
	`timezone` text PRIMARY KEY NOT NULL,
	`people` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `zone_counts` SELECT `timezone`, count(*) FROM `users` GROUP BY `timezone`;--> statement-breakpoint
CREATE TRIGGER `users_counted` AFTER INSERT ON `users` BEGIN
	INSERT INTO `zone_counts` VALUES (new.`timezone`, 1) ON CONFLICT (`timezone`) DO UPDATE SET `people` = `people` + 1;
END;--> statement-breakpoint
CREATE TRIGGER `users_moved` AFTER UPDATE OF `timezone` ON `users` WHEN old.`timezone` <> new.`timezone` BEGIN
	UPDATE `zone_counts` SET `people` = `people` - 1 WHERE `timezone` = old.`timezone`;
	DELETE FROM `zone_counts` WHERE `timezone` = old.`timezone` AND `people` = 0;
	INSERT INTO `zone_counts` VALUES (new.`timezone`, 1) ON CONFLICT (`timezone`) DO UPDATE SET `people` = `people` + 1;
END;--> statement-breakpoint
CREATE TRIGGER `users_discounted` AFTER DELETE ON `users` BEGIN
	UPDATE `zone_counts` SET `people` = `people` - 1 WHERE `timezone` = old.`timezone`;
	DELETE FROM `zone_counts` WHERE `timezone` = old.`timezone` AND `people` = 0;
END;
