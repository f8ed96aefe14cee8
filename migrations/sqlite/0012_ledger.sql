-- oldest release: 0.1.0
-- By hand: WITHOUT ROWID as in 0000.
CREATE TABLE `journal` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`kind` text NOT NULL,
	`user_id` text,
	`occasion_id` text,
	`subject` text,
	`details` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `journal_by_user` ON `journal` (`user_id`) WHERE user_id is not null;--> statement-breakpoint
CREATE INDEX `journal_by_occasion` ON `journal` (`occasion_id`) WHERE occasion_id is not null;--> statement-breakpoint
CREATE INDEX `journal_by_kind` ON `journal` (`kind`,`at`) WHERE user_id is null and occasion_id is null;--> statement-breakpoint
CREATE TABLE `ledger_days` (
	`day` text PRIMARY KEY NOT NULL,
	`started_at` integer NOT NULL,
	`closed_at` integer,
	`cursor` text,
	`people` integer DEFAULT 0 NOT NULL,
	`expected` integer DEFAULT 0 NOT NULL,
	`delivered` integer DEFAULT 0 NOT NULL,
	`late` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`excused` integer DEFAULT 0 NOT NULL,
	`open` integer DEFAULT 0 NOT NULL,
	`unexplained` integer DEFAULT 0 NOT NULL,
	`surplus` integer DEFAULT 0 NOT NULL,
	`carried` integer DEFAULT 0 NOT NULL,
	`tz_version` text,
	`root` text,
	`previous` text,
	`signature` text,
	`public_key` text,
	`alarmed_at` integer,
	`pruned_at` integer
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `ledger_keys` (
	`public_key` text PRIMARY KEY NOT NULL,
	`private_key` text NOT NULL,
	`created_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `ledger_lines` (
	`day` text NOT NULL,
	`commitment` text NOT NULL,
	`place` text NOT NULL,
	`reason` text,
	`occasion_id` text,
	`event_id` text,
	`occurrence` text,
	`due_at` integer,
	`settled_at` integer,
	`attempt` integer,
	`entry` integer,
	`because` text,
	`carried_from` text,
	`salt` text,
	PRIMARY KEY(`day`, `commitment`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `ledger_lines_by_occasion` ON `ledger_lines` (`occasion_id`,`day`) WHERE occasion_id is not null;--> statement-breakpoint
CREATE INDEX `ledger_lines_by_event` ON `ledger_lines` (`event_id`) WHERE event_id is not null;--> statement-breakpoint
CREATE TABLE `ledger_occasions` (
	`occasion_id` text PRIMARY KEY NOT NULL
) WITHOUT ROWID;
