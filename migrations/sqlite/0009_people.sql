-- By hand: WITHOUT ROWID as in 0000, the renamed column, and the triggers. The old text is found by its first word until the
-- service has folded it.
CREATE TABLE `user_words` (
	`word` text NOT NULL,
	`user_id` text NOT NULL,
	PRIMARY KEY(`word`, `user_id`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `users` RENAME COLUMN `search_name` TO `search_text`;--> statement-breakpoint
ALTER TABLE `users` ADD `folded` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `users_by_name` ON `users` (`search_text`,`id`);--> statement-breakpoint
CREATE INDEX `users_unfolded` ON `users` (`id`) WHERE folded = 0;--> statement-breakpoint
CREATE INDEX `occasions_by_type` ON `occasions` (`type`,`user_id`) WHERE type <> 'BIRTHDAY';--> statement-breakpoint
CREATE INDEX `occasions_by_channel` ON `occasions` (`channel_id`) WHERE channel_id is not null;--> statement-breakpoint
CREATE INDEX `occasions_paused` ON `occasions` (`user_id`) WHERE paused_at is not null;--> statement-breakpoint
CREATE TRIGGER `users_inserted` AFTER INSERT ON `users` BEGIN
	INSERT INTO `user_words` SELECT `value`, new.`id` FROM json_each('[' || replace(json_quote(new.`search_text`), ' ', '","') || ']')
		WHERE `key` > 0 ON CONFLICT DO NOTHING;
END;--> statement-breakpoint
CREATE TRIGGER `users_updated` AFTER UPDATE OF `search_text` ON `users` BEGIN
	DELETE FROM `user_words` WHERE `user_id` = old.`id` AND `word` IN
		(SELECT `value` FROM json_each('[' || replace(json_quote(old.`search_text`), ' ', '","') || ']'));
	INSERT INTO `user_words` SELECT `value`, new.`id` FROM json_each('[' || replace(json_quote(new.`search_text`), ' ', '","') || ']')
		WHERE `key` > 0 ON CONFLICT DO NOTHING;
END;--> statement-breakpoint
CREATE TRIGGER `users_deleted` AFTER DELETE ON `users` BEGIN
	DELETE FROM `user_words` WHERE `user_id` = old.`id` AND `word` IN
		(SELECT `value` FROM json_each('[' || replace(json_quote(old.`search_text`), ' ', '","') || ']'));
END;
