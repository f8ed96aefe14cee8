CREATE TABLE "moves" (
	"occasion_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"cause" text NOT NULL,
	"moved_at" timestamp (3) with time zone NOT NULL,
	"from_occurrence" text,
	"from_target_at" timestamp (3) with time zone,
	"from_offset_seconds" integer,
	"from_timezone" text,
	"to_occurrence" text,
	"to_target_at" timestamp (3) with time zone,
	"to_offset_seconds" integer,
	"to_timezone" text,
	CONSTRAINT "moves_occasion_id_event_id_version_pk" PRIMARY KEY("occasion_id","event_id","version")
);
--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "channel_id" uuid;--> statement-breakpoint
ALTER TABLE "channels" ADD COLUMN "recovered_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "channel_id" uuid;--> statement-breakpoint
ALTER TABLE "settled_events" ADD COLUMN "channel_id" uuid;--> statement-breakpoint
ALTER TABLE "settled_events" ADD COLUMN "plan_revision" integer;--> statement-breakpoint
-- By hand: settled events that were moved before this migration. The first 48 bits of an id are the instant it was planned for.
UPDATE "settled_events" SET "plan_revision" = 1 WHERE "replay_of" IS NULL AND "target_at" <>
	to_timestamp((('x0000' || substr(encode(uuid_send("id"), 'hex'), 1, 12))::bit(64)::bigint)::float8 / 1000);--> statement-breakpoint
CREATE INDEX "events_parked" ON "events" USING btree ("channel_id","wake_at") WHERE park_count > 0;--> statement-breakpoint
CREATE INDEX "events_replays" ON "events" USING btree ("occasion_id") WHERE replay_of is not null;--> statement-breakpoint
CREATE INDEX "events_displaced" ON "events" USING btree ("target_at") WHERE plan_revision > 0 or replay_of is not null;--> statement-breakpoint
CREATE INDEX "settled_events_replays" ON "settled_events" USING btree ("occasion_id") WHERE replay_of is not null;--> statement-breakpoint
CREATE INDEX "settled_events_displaced" ON "settled_events" USING btree ("target_at") WHERE plan_revision is not null or replay_of is not null;--> statement-breakpoint
-- By hand: the view.
CREATE OR REPLACE VIEW "all_events" AS
SELECT e."id", e."occasion_id", o."user_id", o."type" AS "event_type", e."occurrence",
	CASE WHEN e."claimed_at" IS NULL THEN 'PENDING' ELSE 'PROCESSING' END AS "status",
	(extract(epoch FROM e."target_at") * 1000)::float8 AS "target_at", e."offset_seconds", e."timezone", e."tz_version",
	(extract(epoch FROM coalesce(e."lease_until", e."wake_at")) * 1000)::float8 AS "wake_at", e."retry_count", e."version",
	e."claimed_by", (extract(epoch FROM e."claimed_at") * 1000)::float8 AS "claimed_at",
	NULL::float8 AS "executed_at", NULL::integer AS "status_code", NULL::text AS "failure_code", NULL::text AS "last_error",
	p."body" AS "delivery_payload",
	(extract(epoch FROM e."created_at") * 1000)::float8 AS "created_at", (extract(epoch FROM e."updated_at") * 1000)::float8 AS "updated_at",
	e."replay_of", e."own_key", coalesce(e."channel_id", o."channel_id") AS "channel_id", e."target_at" AS "due_at",
	e."plan_revision" > 0 OR e."replay_of" IS NOT NULL AS "displaced"
FROM "events" e JOIN "occasions" o ON o."id" = e."occasion_id" LEFT JOIN "payloads" p ON p."event_id" = e."id"
UNION ALL
SELECT s."id", s."occasion_id", o."user_id", o."type", s."occurrence", s."status",
	(extract(epoch FROM s."target_at") * 1000)::float8, s."offset_seconds", s."timezone", s."tz_version",
	NULL::float8, s."retry_count", s."version", s."claimed_by", (extract(epoch FROM s."claimed_at") * 1000)::float8,
	(extract(epoch FROM s."executed_at") * 1000)::float8, s."status_code", s."failure_code", s."last_error", p."body",
	(extract(epoch FROM s."created_at") * 1000)::float8, (extract(epoch FROM s."updated_at") * 1000)::float8,
	s."replay_of", s."own_key", coalesce(s."channel_id", o."channel_id"), s."target_at",
	s."plan_revision" IS NOT NULL OR s."replay_of" IS NOT NULL
FROM "settled_events" s JOIN "occasions" o ON o."id" = s."occasion_id" LEFT JOIN "payloads" p ON p."event_id" = s."id";
