-- By hand, as in 0000: new tables are clustered by their key (WITHOUT ROWID).
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
ALTER TABLE `attempts` ADD `channel_id` text;--> statement-breakpoint
ALTER TABLE `channels` ADD `recovered_at` integer;--> statement-breakpoint
ALTER TABLE `events` ADD `channel_id` text;--> statement-breakpoint
CREATE INDEX `events_parked` ON `events` (`channel_id`,`wake_at`) WHERE park_count > 0 and wake_at is not null;--> statement-breakpoint
CREATE INDEX `events_replays` ON `events` (`occasion_id`) WHERE replay_of is not null;--> statement-breakpoint
CREATE INDEX `events_displaced` ON `events` (`target_at`) WHERE (plan_revision > 0 or replay_of is not null);
