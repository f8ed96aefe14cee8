CREATE TABLE "feeds" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"user_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tasks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"title" text NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"due_revision" integer NOT NULL,
	"remind_before_ms" bigint NOT NULL,
	"quiet_hours" text,
	"completed_at" timestamp (3) with time zone,
	"reminder_sent_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"version" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "timezones" (
	"name" text PRIMARY KEY NOT NULL,
	"rules" text NOT NULL,
	"version" text NOT NULL,
	"previous_rules" text,
	"previous_version" text,
	"changed_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "occasions" ADD COLUMN "repeats" text DEFAULT 'YEARLY' NOT NULL;--> statement-breakpoint
ALTER TABLE "occasions" ADD COLUMN "calendar" text DEFAULT 'gregorian' NOT NULL;--> statement-breakpoint
ALTER TABLE "occasions" ADD COLUMN "series" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "occasions" ADD COLUMN "until" text;--> statement-breakpoint
ALTER TABLE "occasions" ADD COLUMN "paused_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "occasions" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "external_id" text;--> statement-breakpoint
ALTER TABLE "feeds" ADD CONSTRAINT "feeds_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_id_occasions_id_fk" FOREIGN KEY ("id") REFERENCES "occasions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "feeds_by_token" ON "feeds" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "feeds_by_user" ON "feeds" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "tasks_by_due" ON "tasks" USING btree ("due_at","id");--> statement-breakpoint
CREATE INDEX "tasks_by_user" ON "tasks" USING btree ("user_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_by_external_id" ON "users" USING btree ("external_id") WHERE external_id is not null;
--> statement-breakpoint
CREATE OR REPLACE VIEW "all_events" AS
SELECT e."id", e."occasion_id", o."user_id", o."type" AS "event_type", e."occurrence",
	CASE WHEN e."claimed_at" IS NULL THEN 'PENDING' ELSE 'PROCESSING' END AS "status",
	(extract(epoch FROM e."target_at") * 1000)::float8 AS "target_at", e."offset_seconds", e."timezone", e."tz_version",
	(extract(epoch FROM coalesce(e."lease_until", e."wake_at")) * 1000)::float8 AS "wake_at", e."retry_count", e."version",
	e."claimed_by", (extract(epoch FROM e."claimed_at") * 1000)::float8 AS "claimed_at",
	NULL::float8 AS "executed_at", NULL::integer AS "status_code", NULL::text AS "failure_reason", p."body" AS "delivery_payload",
	(extract(epoch FROM e."created_at") * 1000)::float8 AS "created_at", (extract(epoch FROM e."updated_at") * 1000)::float8 AS "updated_at",
	e."replay_of", e."own_key", o."channel_id"
FROM "events" e JOIN "occasions" o ON o."id" = e."occasion_id" LEFT JOIN "payloads" p ON p."event_id" = e."id"
UNION ALL
SELECT s."id", s."occasion_id", o."user_id", o."type", s."occurrence", s."status",
	(extract(epoch FROM s."target_at") * 1000)::float8, s."offset_seconds", s."timezone", s."tz_version",
	NULL::float8, s."retry_count", s."version", s."claimed_by", (extract(epoch FROM s."claimed_at") * 1000)::float8,
	(extract(epoch FROM s."executed_at") * 1000)::float8, s."status_code", s."failure_reason", p."body",
	(extract(epoch FROM s."created_at") * 1000)::float8, (extract(epoch FROM s."updated_at") * 1000)::float8,
	s."replay_of", s."own_key", o."channel_id"
FROM "settled_events" s JOIN "occasions" o ON o."id" = s."occasion_id" LEFT JOIN "payloads" p ON p."event_id" = s."id";
