CREATE TABLE `audit_entries` (
	`number` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`actor` text,
	`address` text,
	`action` text NOT NULL,
	`object_kind` text,
	`object_id` text,
	`rejected_with` integer,
	`count` integer NOT NULL,
	`details` text,
	`previous_hash` text NOT NULL,
	`hash` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_entries_by_object` ON `audit_entries` (`object_id`);