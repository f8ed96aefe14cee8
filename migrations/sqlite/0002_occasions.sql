-- By hand, as in 0000: new tables are clustered by their key (WITHOUT ROWID).
CREATE TABLE `feeds` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`user_id` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `feeds_by_token` ON `feeds` (`token_hash`);--> statement-breakpoint
CREATE INDEX `feeds_by_user` ON `feeds` (`user_id`);--> statement-breakpoint
CREATE TABLE `tasks` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`title` text NOT NULL,
	`due_at` integer NOT NULL,
	`due_revision` integer NOT NULL,
	`remind_before_ms` integer NOT NULL,
	`quiet_hours` text,
	`completed_at` integer,
	`reminder_sent_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	FOREIGN KEY (`id`) REFERENCES `occasions`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `tasks_by_due` ON `tasks` (`due_at`,`id`);--> statement-breakpoint
CREATE INDEX `tasks_by_user` ON `tasks` (`user_id`,`id`);--> statement-breakpoint
CREATE TABLE `timezones` (
	`name` text PRIMARY KEY NOT NULL,
	`rules` text NOT NULL,
	`version` text NOT NULL,
	`previous_rules` text,
	`previous_version` text,
	`changed_at` integer
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `occasions` ADD `repeats` text DEFAULT 'YEARLY' NOT NULL;--> statement-breakpoint
ALTER TABLE `occasions` ADD `calendar` text DEFAULT 'gregorian' NOT NULL;--> statement-breakpoint
ALTER TABLE `occasions` ADD `series` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `occasions` ADD `until` text;--> statement-breakpoint
ALTER TABLE `occasions` ADD `paused_at` integer;--> statement-breakpoint
ALTER TABLE `occasions` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `external_id` text;--> statement-breakpoint
CREATE UNIQUE INDEX `users_by_external_id` ON `users` (`external_id`) WHERE external_id is not null;