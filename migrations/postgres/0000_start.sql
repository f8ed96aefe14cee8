-- By hand: the fillfactor of events (room for updates in place) and the view at the end.
CREATE TABLE "answer_users" (
	"user_id" uuid NOT NULL,
	"answer_key" text NOT NULL,
	CONSTRAINT "answer_users_user_id_answer_key_pk" PRIMARY KEY("user_id","answer_key")
);
--> statement-breakpoint
CREATE TABLE "answers" (
	"key" text PRIMARY KEY NOT NULL,
	"fingerprint" text NOT NULL,
	"status" integer NOT NULL,
	"body" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "attempts" (
	"event_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"claimed_by" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone NOT NULL,
	"status_code" integer,
	"error" text NOT NULL,
	CONSTRAINT "attempts_event_id_number_pk" PRIMARY KEY("event_id","number")
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"occasion_id" uuid NOT NULL,
	"occurrence" text NOT NULL,
	"target_at" timestamp (3) with time zone NOT NULL,
	"offset_seconds" integer NOT NULL,
	"timezone" text NOT NULL,
	"tz_version" text NOT NULL,
	"retry_count" integer NOT NULL,
	"version" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"wake_at" timestamp (3) with time zone NOT NULL,
	"lease_until" timestamp (3) with time zone,
	"claimed_by" text,
	"claimed_at" timestamp (3) with time zone,
	"plan_revision" integer NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
--> statement-breakpoint
CREATE TABLE "occasions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"type" text NOT NULL,
	"date" text,
	"local_time" text NOT NULL,
	"leap_day" text NOT NULL,
	"template" text
);
--> statement-breakpoint
CREATE TABLE "payloads" (
	"event_id" uuid PRIMARY KEY NOT NULL,
	"body" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "settled_events" (
	"id" uuid NOT NULL,
	"occasion_id" uuid NOT NULL,
	"occurrence" text NOT NULL,
	"target_at" timestamp (3) with time zone NOT NULL,
	"offset_seconds" integer NOT NULL,
	"timezone" text NOT NULL,
	"tz_version" text NOT NULL,
	"retry_count" integer NOT NULL,
	"version" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"status" text NOT NULL,
	"claimed_by" text NOT NULL,
	"claimed_at" timestamp (3) with time zone NOT NULL,
	"executed_at" timestamp (3) with time zone NOT NULL,
	"status_code" integer,
	"failure_reason" text,
	CONSTRAINT "settled_events_occasion_id_occurrence_pk" PRIMARY KEY("occasion_id","occurrence")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"search_name" text NOT NULL,
	"date_of_birth" text NOT NULL,
	"timezone" text NOT NULL,
	"email" text,
	"version" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "answer_users" ADD CONSTRAINT "answer_users_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "answer_users" ADD CONSTRAINT "answer_users_answer_key_answers_key_fk" FOREIGN KEY ("answer_key") REFERENCES "answers"("key") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "occasions" ADD CONSTRAINT "occasions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "answer_users_by_key" ON "answer_users" USING btree ("answer_key");--> statement-breakpoint
CREATE INDEX "answers_by_age" ON "answers" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "events_one_per_occurrence" ON "events" USING btree ("occasion_id","occurrence");--> statement-breakpoint
CREATE INDEX "events_by_wake" ON "events" USING btree ("wake_at");--> statement-breakpoint
CREATE INDEX "occasions_by_user" ON "occasions" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "settled_events_by_id" ON "settled_events" USING btree ("id");--> statement-breakpoint
CREATE INDEX "settled_events_failed" ON "settled_events" USING btree ("id") WHERE failure_reason is not null;--> statement-breakpoint
CREATE INDEX "users_by_timezone" ON "users" USING btree ("timezone","id");
--> statement-breakpoint
CREATE VIEW "all_events" AS
SELECT e."id", e."occasion_id", o."user_id", o."type" AS "event_type", e."occurrence",
	CASE WHEN e."claimed_at" IS NULL THEN 'PENDING' ELSE 'PROCESSING' END AS "status",
	(extract(epoch FROM e."target_at") * 1000)::float8 AS "target_at", e."offset_seconds", e."timezone", e."tz_version",
	(extract(epoch FROM coalesce(e."lease_until", e."wake_at")) * 1000)::float8 AS "wake_at", e."retry_count", e."version",
	e."claimed_by", (extract(epoch FROM e."claimed_at") * 1000)::float8 AS "claimed_at",
	NULL::float8 AS "executed_at", NULL::integer AS "status_code", NULL::text AS "failure_reason", p."body" AS "delivery_payload",
	(extract(epoch FROM e."created_at") * 1000)::float8 AS "created_at", (extract(epoch FROM e."updated_at") * 1000)::float8 AS "updated_at"
FROM "events" e JOIN "occasions" o ON o."id" = e."occasion_id" LEFT JOIN "payloads" p ON p."event_id" = e."id"
UNION ALL
SELECT s."id", s."occasion_id", o."user_id", o."type", s."occurrence", s."status",
	(extract(epoch FROM s."target_at") * 1000)::float8, s."offset_seconds", s."timezone", s."tz_version",
	NULL::float8, s."retry_count", s."version", s."claimed_by", (extract(epoch FROM s."claimed_at") * 1000)::float8,
	(extract(epoch FROM s."executed_at") * 1000)::float8, s."status_code", s."failure_reason", p."body",
	(extract(epoch FROM s."created_at") * 1000)::float8, (extract(epoch FROM s."updated_at") * 1000)::float8
FROM "settled_events" s JOIN "occasions" o ON o."id" = s."occasion_id" LEFT JOIN "payloads" p ON p."event_id" = s."id";
