CREATE TABLE `workers` (
	`id` text PRIMARY KEY NOT NULL,
	`seen_at` integer NOT NULL
);
