CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`scope` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`revoked_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_by_hash` ON `api_keys` (`hash`);--> statement-breakpoint
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
CREATE UNIQUE INDEX `channels_by_name` ON `channels` (`name`);--> statement-breakpoint
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
ALTER TABLE `attempts` ADD `outcome` text DEFAULT 'RETRY' NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `replay_of` text;--> statement-breakpoint
ALTER TABLE `events` ADD `own_key` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `occasions` ADD `channel_id` text;--> statement-breakpoint
ALTER TABLE `occasions` ADD `not_after` text;--> statement-breakpoint
ALTER TABLE `users` ADD `language` text;