-- oldest release: 0.2.0
-- The tables and indexes are those of src/stores/tables, as drizzle-kit writes them. By hand: WITHOUT ROWID, for tables
-- that are read by their key, and the triggers. A timezone without people leaves no row in zone_counts: the name could be all that
-- is left of an erased person.
CREATE TABLE `attempts` (
	`event_id` text NOT NULL,
	`number` integer NOT NULL,
	`claimed_by` text NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer NOT NULL,
	`status_code` integer,
	`error` text NOT NULL,
	`outcome` text DEFAULT 'RETRY' NOT NULL,
	`channel_id` text,
	`exchange` text,
	PRIMARY KEY(`event_id`, `number`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `events` (
	`id` text PRIMARY KEY NOT NULL,
	`occasion_id` text NOT NULL,
	`occurrence` text NOT NULL,
	`status` text NOT NULL,
	`target_at` integer NOT NULL,
	`offset_seconds` integer NOT NULL,
	`timezone` text NOT NULL,
	`tz_version` text NOT NULL,
	`lane` integer,
	`wake_at` integer,
	`lease_until` integer,
	`lease_batch` integer,
	`claimed_by` text,
	`claimed_at` integer,
	`retry_count` integer NOT NULL,
	`version` integer NOT NULL,
	`plan_revision` integer NOT NULL,
	`replay_of` text,
	`own_key` integer DEFAULT false NOT NULL,
	`executed_at` integer,
	`status_code` integer,
	`failure_code` text,
	`last_error` text,
	`channel_id` text,
	`exchange` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `events_one_per_occurrence` ON `events` (`occasion_id`,`occurrence`);
--> statement-breakpoint
CREATE INDEX `events_by_lane` ON `events` (`lane`,`wake_at`) WHERE wake_at is not null;
--> statement-breakpoint
CREATE INDEX `events_failed` ON `events` (`id`) WHERE failure_code is not null;
--> statement-breakpoint
CREATE INDEX `events_replays` ON `events` (`occasion_id`) WHERE replay_of is not null;
--> statement-breakpoint
CREATE INDEX `events_displaced` ON `events` (`target_at`) WHERE (plan_revision > 0 or replay_of is not null);
--> statement-breakpoint
CREATE INDEX `events_by_settlement` ON `events` (`executed_at`) WHERE executed_at is not null;
--> statement-breakpoint
CREATE TABLE `moves` (
	`occasion_id` text NOT NULL,
	`event_id` text NOT NULL,
	`version` integer NOT NULL,
	`cause` text NOT NULL,
	`moved_at` integer NOT NULL,
	`from_occurrence` text,
	`from_target_at` integer,
	`from_offset_seconds` integer,
	`from_timezone` text,
	`to_occurrence` text,
	`to_target_at` integer,
	`to_offset_seconds` integer,
	`to_timezone` text,
	PRIMARY KEY(`occasion_id`, `event_id`, `version`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `payloads` (
	`event_id` text PRIMARY KEY NOT NULL,
	`body` text NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `ledger_days` (
	`day` text PRIMARY KEY NOT NULL,
	`started_at` integer,
	`cursor` text,
	`checked_at` integer,
	`closed_at` integer,
	`reported_at` integer,
	`due` integer DEFAULT 0 NOT NULL,
	`on_time` integer DEFAULT 0 NOT NULL,
	`late` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`not_sent` integer DEFAULT 0 NOT NULL,
	`waiting` integer DEFAULT 0 NOT NULL,
	`missed` integer DEFAULT 0 NOT NULL,
	`codes` text,
	CONSTRAINT "ledger_days_dates" CHECK (day like '____-__-__')
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `ledger_problems` (
	`occasion_id` text NOT NULL,
	`reason` text NOT NULL,
	`event_id` text,
	`due_at` integer,
	`expected_at` integer,
	`found_at` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`gone_at` integer,
	PRIMARY KEY(`occasion_id`, `reason`),
	FOREIGN KEY (`occasion_id`) REFERENCES `occasions`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `ledger_report` (
	`id` integer PRIMARY KEY NOT NULL,
	`target` text,
	`sending_until` integer
);
--> statement-breakpoint
CREATE TABLE `occasions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`type` text NOT NULL,
	`date` text,
	`local_time` text NOT NULL,
	`leap_day` text NOT NULL,
	`shift_days` integer,
	`on_weekend` text,
	`repeats` text DEFAULT 'YEARLY' NOT NULL,
	`calendar` text DEFAULT 'gregorian' NOT NULL,
	`rule_revision` integer DEFAULT 1 NOT NULL,
	`until` text,
	`paused_at` integer,
	`bulk_paused_at` integer,
	`template` text,
	`channel_id` text,
	`not_after` text,
	`data` text,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "occasions_dates" CHECK (date like '____-__-__' and until like '____-__-__')
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `occasions_by_user` ON `occasions` (`user_id`);
--> statement-breakpoint
CREATE INDEX `occasions_by_type` ON `occasions` (`type`,`user_id`) WHERE type <> 'BIRTHDAY';
--> statement-breakpoint
CREATE INDEX `occasions_by_channel` ON `occasions` (`channel_id`) WHERE channel_id is not null;
--> statement-breakpoint
CREATE INDEX `occasions_paused` ON `occasions` (`user_id`) WHERE paused_at is not null;
--> statement-breakpoint
CREATE TABLE `tasks` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`title` text NOT NULL,
	`due_at` integer NOT NULL,
	`due_revision` integer NOT NULL,
	`remind_before_ms` integer NOT NULL,
	`quiet_hours` text,
	`data` text,
	`completed_at` integer,
	`reminder_sent_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	FOREIGN KEY (`id`) REFERENCES `occasions`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `tasks_by_due` ON `tasks` (`due_at`,`id`);
--> statement-breakpoint
CREATE INDEX `tasks_by_user` ON `tasks` (`user_id`,`id`);
--> statement-breakpoint
CREATE TABLE `user_words` (
	`word` text NOT NULL,
	`user_id` text NOT NULL,
	PRIMARY KEY(`word`, `user_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`first_name` text NOT NULL,
	`last_name` text,
	`search_text` text NOT NULL,
	`date_of_birth` text,
	`timezone` text NOT NULL,
	`email` text,
	`language` text,
	`external_id` text,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "users_dates" CHECK (date_of_birth like '____-__-__' or date_of_birth like '--__-__')
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `users_by_timezone` ON `users` (`timezone`,`id`);
--> statement-breakpoint
CREATE INDEX `users_by_name` ON `users` (`search_text`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_by_external_id` ON `users` (`external_id`) WHERE external_id is not null;
--> statement-breakpoint
CREATE TABLE `zone_counts` (
	`timezone` text PRIMARY KEY NOT NULL,
	`people` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`scope` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`revoked_at` integer,
	`expires_at` integer,
	`allowed_from` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_by_hash` ON `api_keys` (`hash`);
--> statement-breakpoint
CREATE TABLE `audit_entries` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`actor` text,
	`address` text,
	`action` text NOT NULL,
	`object_kind` text,
	`object_id` text,
	`rejected_with` integer,
	`count` integer NOT NULL,
	`details` text
);
--> statement-breakpoint
CREATE INDEX `audit_entries_by_object` ON `audit_entries` (`object_id`);
--> statement-breakpoint
CREATE TABLE `channels` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`settings` text NOT NULL,
	`secrets` text NOT NULL,
	`default_since` integer,
	`status` text NOT NULL,
	`status_reason` text,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `channels_by_name` ON `channels` (`name`);
--> statement-breakpoint
CREATE TABLE `destinations` (
	`channel_id` text PRIMARY KEY NOT NULL,
	`down_since` integer,
	`last_error` text,
	`next_probe_at` integer,
	`recovered_at` integer,
	`held_at` integer,
	`held_until` integer,
	`held_by` text
);
--> statement-breakpoint
CREATE TABLE `limit_leases` (
	`channel_id` text PRIMARY KEY NOT NULL,
	`leases` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `feeds` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`user_id` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `feeds_by_token` ON `feeds` (`token_hash`);
--> statement-breakpoint
CREATE INDEX `feeds_by_user` ON `feeds` (`user_id`);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`key_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_by_hash` ON `sessions` (`hash`);
--> statement-breakpoint
CREATE TABLE `templates` (
	`type` text NOT NULL,
	`language` text NOT NULL,
	`subject` text,
	`body` text NOT NULL,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`type`, `language`)
);
--> statement-breakpoint
CREATE TABLE `dismissals` (
	`channel` text NOT NULL,
	`reason` text NOT NULL,
	`failed_before` integer NOT NULL,
	PRIMARY KEY(`channel`, `reason`)
);
--> statement-breakpoint
CREATE TABLE `timezones` (
	`name` text PRIMARY KEY NOT NULL,
	`rules` text NOT NULL,
	`version` text NOT NULL,
	`previous_rules` text,
	`previous_version` text,
	`changed_at` integer,
	`replan_cursor` text
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `workers` (
	`id` text PRIMARY KEY NOT NULL,
	`seen_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TRIGGER `users_inserted` AFTER INSERT ON `users` BEGIN
	INSERT INTO `user_words` SELECT `value`, new.`id` FROM json_each('[' || replace(json_quote(new.`search_text`), ' ', '","') || ']')
		WHERE `key` > 0 ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER `users_updated` AFTER UPDATE OF `search_text` ON `users` BEGIN
	DELETE FROM `user_words` WHERE `user_id` = old.`id` AND `word` IN
		(SELECT `value` FROM json_each('[' || replace(json_quote(old.`search_text`), ' ', '","') || ']'));
	INSERT INTO `user_words` SELECT `value`, new.`id` FROM json_each('[' || replace(json_quote(new.`search_text`), ' ', '","') || ']')
		WHERE `key` > 0 ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER `users_deleted` AFTER DELETE ON `users` BEGIN
	DELETE FROM `user_words` WHERE `user_id` = old.`id` AND `word` IN
		(SELECT `value` FROM json_each('[' || replace(json_quote(old.`search_text`), ' ', '","') || ']'));
END;
--> statement-breakpoint
CREATE TRIGGER `users_counted` AFTER INSERT ON `users` BEGIN
	INSERT INTO `zone_counts` VALUES (new.`timezone`, 1) ON CONFLICT (`timezone`) DO UPDATE SET `people` = `people` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `users_moved` AFTER UPDATE OF `timezone` ON `users` WHEN old.`timezone` <> new.`timezone` BEGIN
	UPDATE `zone_counts` SET `people` = `people` - 1 WHERE `timezone` = old.`timezone`;
	DELETE FROM `zone_counts` WHERE `timezone` = old.`timezone` AND `people` = 0;
	INSERT INTO `zone_counts` VALUES (new.`timezone`, 1) ON CONFLICT (`timezone`) DO UPDATE SET `people` = `people` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `users_discounted` AFTER DELETE ON `users` BEGIN
	UPDATE `zone_counts` SET `people` = `people` - 1 WHERE `timezone` = old.`timezone`;
	DELETE FROM `zone_counts` WHERE `timezone` = old.`timezone` AND `people` = 0;
END;
