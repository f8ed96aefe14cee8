-- By hand: columns are renamed rather than added and dropped, so that no table is rewritten.
ALTER TABLE `occasions` RENAME COLUMN `series` TO `rule_revision`;--> statement-breakpoint
ALTER TABLE `events` ADD `park_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `failure_code` text;--> statement-breakpoint
-- The reason was one sentence: 'CODE: …, the last: ERROR' where attempts were given up, and the error itself otherwise.
UPDATE `events` SET `failure_code` = substr(`failure_reason`, 1, instr(`failure_reason` || ':', ':') - 1)
	WHERE `failure_reason` IS NOT NULL;--> statement-breakpoint
ALTER TABLE `events` RENAME COLUMN `failure_reason` TO `last_error`;--> statement-breakpoint
UPDATE `events` SET `last_error` = substr(`last_error`, instr(`last_error`, 'the last: ') + 10)
	WHERE `last_error` IS NOT NULL AND `failure_code` IN ('RETRIES_EXHAUSTED', 'CUT_OFF') AND instr(`last_error`, 'the last: ') > 0;--> statement-breakpoint
DROP INDEX `events_failed`;--> statement-breakpoint
CREATE INDEX `events_failed` ON `events` (`id`) WHERE failure_code is not null;--> statement-breakpoint
ALTER TABLE `answers` RENAME TO `responses`;--> statement-breakpoint
ALTER TABLE `answer_users` RENAME TO `response_users`;--> statement-breakpoint
ALTER TABLE `response_users` RENAME COLUMN `answer_key` TO `response_key`;--> statement-breakpoint
DROP INDEX `answers_by_age`;--> statement-breakpoint
CREATE INDEX `responses_by_age` ON `responses` (`created_at`);--> statement-breakpoint
DROP INDEX `answer_users_by_key`;--> statement-breakpoint
CREATE INDEX `response_users_by_key` ON `response_users` (`response_key`);
