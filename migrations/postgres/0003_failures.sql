-- By hand: columns are renamed rather than added and dropped, and the view over both tables of events is made again.
DROP VIEW "all_events";--> statement-breakpoint
ALTER TABLE "occasions" RENAME COLUMN "series" TO "rule_revision";--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "park_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "settled_events" RENAME COLUMN "failure_reason" TO "last_error";--> statement-breakpoint
ALTER TABLE "settled_events" ADD COLUMN "failure_code" text;--> statement-breakpoint
-- The reason was one sentence: 'CODE: …, the last: ERROR' where attempts were given up, and the error itself otherwise.
UPDATE "settled_events" SET "failure_code" = split_part("last_error", ':', 1),
	"last_error" = CASE WHEN split_part("last_error", ':', 1) IN ('RETRIES_EXHAUSTED', 'CUT_OFF') AND strpos("last_error", 'the last: ') > 0
		THEN substr("last_error", strpos("last_error", 'the last: ') + 10) ELSE "last_error" END
	WHERE "last_error" IS NOT NULL;--> statement-breakpoint
DROP INDEX "settled_events_failed";--> statement-breakpoint
CREATE INDEX "settled_events_failed" ON "settled_events" USING btree ("id") WHERE failure_code is not null;--> statement-breakpoint
CREATE VIEW "all_events" AS
SELECT e."id", e."occasion_id", o."user_id", o."type" AS "event_type", e."occurrence",
	CASE WHEN e."claimed_at" IS NULL THEN 'PENDING' ELSE 'PROCESSING' END AS "status",
	(extract(epoch FROM e."target_at") * 1000)::float8 AS "target_at", e."offset_seconds", e."timezone", e."tz_version",
	(extract(epoch FROM coalesce(e."lease_until", e."wake_at")) * 1000)::float8 AS "wake_at", e."retry_count", e."version",
	e."claimed_by", (extract(epoch FROM e."claimed_at") * 1000)::float8 AS "claimed_at",
	NULL::float8 AS "executed_at", NULL::integer AS "status_code", NULL::text AS "failure_code", NULL::text AS "last_error",
	p."body" AS "delivery_payload",
	(extract(epoch FROM e."created_at") * 1000)::float8 AS "created_at", (extract(epoch FROM e."updated_at") * 1000)::float8 AS "updated_at",
	e."replay_of", e."own_key", o."channel_id"
FROM "events" e JOIN "occasions" o ON o."id" = e."occasion_id" LEFT JOIN "payloads" p ON p."event_id" = e."id"
UNION ALL
SELECT s."id", s."occasion_id", o."user_id", o."type", s."occurrence", s."status",
	(extract(epoch FROM s."target_at") * 1000)::float8, s."offset_seconds", s."timezone", s."tz_version",
	NULL::float8, s."retry_count", s."version", s."claimed_by", (extract(epoch FROM s."claimed_at") * 1000)::float8,
	(extract(epoch FROM s."executed_at") * 1000)::float8, s."status_code", s."failure_code", s."last_error", p."body",
	(extract(epoch FROM s."created_at") * 1000)::float8, (extract(epoch FROM s."updated_at") * 1000)::float8,
	s."replay_of", s."own_key", o."channel_id"
FROM "settled_events" s JOIN "occasions" o ON o."id" = s."occasion_id" LEFT JOIN "payloads" p ON p."event_id" = s."id";--> statement-breakpoint
ALTER TABLE "answers" RENAME TO "responses";--> statement-breakpoint
ALTER TABLE "responses" RENAME CONSTRAINT "answers_pkey" TO "responses_pkey";--> statement-breakpoint
ALTER INDEX "answers_by_age" RENAME TO "responses_by_age";--> statement-breakpoint
ALTER TABLE "answer_users" RENAME TO "response_users";--> statement-breakpoint
ALTER TABLE "response_users" RENAME COLUMN "answer_key" TO "response_key";--> statement-breakpoint
ALTER TABLE "response_users" RENAME CONSTRAINT "answer_users_user_id_answer_key_pk" TO "response_users_user_id_response_key_pk";--> statement-breakpoint
ALTER TABLE "response_users" RENAME CONSTRAINT "answer_users_user_id_users_id_fk" TO "response_users_user_id_users_id_fk";--> statement-breakpoint
ALTER TABLE "response_users" RENAME CONSTRAINT "answer_users_answer_key_answers_key_fk" TO "response_users_response_key_responses_key_fk";--> statement-breakpoint
ALTER INDEX "answer_users_by_key" RENAME TO "response_users_by_key";
