-- Every table is clustered by its key (WITHOUT ROWID, which drizzle-kit cannot say): one tree less to write per row.
CREATE TABLE `answer_users` (
	`user_id` text NOT NULL,
	`answer_key` text NOT NULL,
	PRIMARY KEY(`user_id`, `answer_key`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`answer_key`) REFERENCES `answers`(`key`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `answer_users_by_key` ON `answer_users` (`answer_key`);--> statement-breakpoint
CREATE TABLE `answers` (
	`key` text PRIMARY KEY NOT NULL,
	`fingerprint` text NOT NULL,
	`status` integer NOT NULL,
	`body` text,
	`created_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `answers_by_age` ON `answers` (`created_at`);--> statement-breakpoint
CREATE TABLE `attempts` (
	`event_id` text NOT NULL,
	`number` integer NOT NULL,
	`claimed_by` text NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer NOT NULL,
	`status_code` integer,
	`error` text NOT NULL,
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
	`wake_at` integer,
	`lease_until` integer,
	`claimed_by` text,
	`claimed_at` integer,
	`retry_count` integer NOT NULL,
	`version` integer NOT NULL,
	`plan_revision` integer NOT NULL,
	`executed_at` integer,
	`status_code` integer,
	`failure_reason` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `events_one_per_occurrence` ON `events` (`occasion_id`,`occurrence`);--> statement-breakpoint
CREATE INDEX `events_by_wake` ON `events` (`wake_at`) WHERE wake_at is not null;--> statement-breakpoint
CREATE INDEX `events_failed` ON `events` (`id`) WHERE failure_reason is not null;--> statement-breakpoint
CREATE TABLE `occasions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`type` text NOT NULL,
	`date` text,
	`local_time` text NOT NULL,
	`leap_day` text NOT NULL,
	`template` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `occasions_by_user` ON `occasions` (`user_id`);--> statement-breakpoint
CREATE TABLE `payloads` (
	`event_id` text PRIMARY KEY NOT NULL,
	`body` text NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`first_name` text NOT NULL,
	`last_name` text NOT NULL,
	`search_name` text NOT NULL,
	`date_of_birth` text NOT NULL,
	`timezone` text NOT NULL,
	`email` text,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `users_by_timezone` ON `users` (`timezone`,`id`);