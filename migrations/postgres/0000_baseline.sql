-- oldest release: 0.2.0
-- The tables and indexes are those of src/stores/postgres/schema, as drizzle-kit writes them. By hand:
-- - The order of the columns of events and settled_events, which saves padding, and the options of events. A claimed row is up to a
--   third longer than a pending one: with half of the page free, one claim in four found no room on its page and wrote to every index.
-- - The partitions of settled_events and payloads, one for each month of the ids: docs/decisions/0023-history-by-month.md. No primary
--   key spans them, because it would have to contain the id: each partition has its own.
-- - Functions and views.
CREATE TABLE "terce"."enqueued_changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "terce"."enqueued_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"operation" text NOT NULL,
	"external_id" text NOT NULL,
	"body" jsonb,
	"enqueued_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"retry_at" timestamp (3) with time zone,
	"problem" jsonb,
	"rejected_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "terce"."attempts" (
	"event_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"claimed_by" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone NOT NULL,
	"status_code" integer,
	"error" text NOT NULL,
	"outcome" text DEFAULT 'RETRY' NOT NULL,
	"channel_id" uuid,
	"exchange" text,
	CONSTRAINT "attempts_event_id_number_pk" PRIMARY KEY("event_id","number")
);
--> statement-breakpoint
CREATE TABLE "terce"."events" (
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
	"lane" bigint NOT NULL,
	"wake_at" timestamp (3) with time zone NOT NULL,
	"lease_until" timestamp (3) with time zone,
	"lease_batch" integer,
	"claimed_by" text,
	"claimed_at" timestamp (3) with time zone,
	"plan_revision" integer NOT NULL,
	"replay_of" uuid,
	"own_key" boolean DEFAULT false NOT NULL,
	"channel_id" uuid
) WITH (fillfactor = 42, autovacuum_vacuum_scale_factor = 0.02);
--> statement-breakpoint
CREATE TABLE "terce"."moves" (
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
CREATE TABLE "terce"."payloads" (
	"event_id" uuid PRIMARY KEY NOT NULL,
	"body" text NOT NULL
) PARTITION BY RANGE ("event_id");
--> statement-breakpoint
CREATE TABLE "terce"."settled_events" (
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
	"last_error" text,
	"replay_of" uuid,
	"own_key" boolean DEFAULT false NOT NULL,
	"failure_code" text,
	"channel_id" uuid,
	"plan_revision" integer,
	"exchange" text
) PARTITION BY RANGE ("id");
--> statement-breakpoint
CREATE TABLE "terce"."ledger_days" (
	"day" text PRIMARY KEY NOT NULL,
	"started_at" timestamp (3) with time zone,
	"cursor" text,
	"checked_at" timestamp (3) with time zone,
	"closed_at" timestamp (3) with time zone,
	"reported_at" timestamp (3) with time zone,
	"due" integer DEFAULT 0 NOT NULL,
	"on_time" integer DEFAULT 0 NOT NULL,
	"late" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"not_sent" integer DEFAULT 0 NOT NULL,
	"waiting" integer DEFAULT 0 NOT NULL,
	"missed" integer DEFAULT 0 NOT NULL,
	"codes" text,
	CONSTRAINT "ledger_days_dates" CHECK (day like '____-__-__')
);
--> statement-breakpoint
CREATE TABLE "terce"."ledger_problems" (
	"occasion_id" uuid NOT NULL,
	"reason" text NOT NULL,
	"event_id" uuid,
	"due_at" timestamp (3) with time zone,
	"expected_at" timestamp (3) with time zone,
	"found_at" timestamp (3) with time zone NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"gone_at" timestamp (3) with time zone,
	CONSTRAINT "ledger_problems_occasion_id_reason_pk" PRIMARY KEY("occasion_id","reason")
);
--> statement-breakpoint
CREATE TABLE "terce"."ledger_report" (
	"id" integer PRIMARY KEY NOT NULL,
	"target" text,
	"sending_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "terce"."occasions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"type" text NOT NULL,
	"date" text,
	"local_time" text NOT NULL,
	"leap_day" text NOT NULL,
	"shift_days" integer,
	"on_weekend" text,
	"repeats" text DEFAULT 'YEARLY' NOT NULL,
	"calendar" text DEFAULT 'gregorian' NOT NULL,
	"rule_revision" integer DEFAULT 1 NOT NULL,
	"until" text,
	"paused_at" timestamp (3) with time zone,
	"bulk_paused_at" timestamp (3) with time zone,
	"template" text,
	"channel_id" uuid,
	"not_after" text,
	"data" text,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "occasions_dates" CHECK (date like '____-__-__' and until like '____-__-__')
);
--> statement-breakpoint
CREATE TABLE "terce"."tasks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"title" text NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"due_revision" integer NOT NULL,
	"remind_before_ms" bigint NOT NULL,
	"quiet_hours" text,
	"data" text,
	"completed_at" timestamp (3) with time zone,
	"reminder_sent_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"version" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "terce"."users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text,
	"search_text" text COLLATE "C" NOT NULL,
	"date_of_birth" text,
	"timezone" text NOT NULL,
	"email" text,
	"language" text,
	"external_id" text,
	"version" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "users_dates" CHECK (date_of_birth like '____-__-__' or date_of_birth like '--__-__')
);
--> statement-breakpoint
CREATE TABLE "terce"."api_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"hash" text NOT NULL,
	"scope" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone,
	"allowed_from" text
);
--> statement-breakpoint
CREATE TABLE "terce"."audit_entries" (
	"number" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "terce"."audit_entries_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone NOT NULL,
	"actor" text,
	"address" text,
	"action" text NOT NULL,
	"object_kind" text,
	"object_id" text,
	"rejected_with" integer,
	"count" integer NOT NULL,
	"details" text
);
--> statement-breakpoint
CREATE TABLE "terce"."channels" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"settings" text NOT NULL,
	"secrets" text NOT NULL,
	"default_since" timestamp (3) with time zone,
	"status" text NOT NULL,
	"status_reason" text,
	"version" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "terce"."destinations" (
	"channel_id" uuid PRIMARY KEY NOT NULL,
	"down_since" timestamp (3) with time zone,
	"last_error" text,
	"next_probe_at" timestamp (3) with time zone,
	"recovered_at" timestamp (3) with time zone,
	"held_at" timestamp (3) with time zone,
	"held_until" timestamp (3) with time zone,
	"held_by" text
);
--> statement-breakpoint
CREATE TABLE "terce"."limit_leases" (
	"channel_id" uuid PRIMARY KEY NOT NULL,
	"leases" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "terce"."feeds" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"user_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "terce"."sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"key_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "terce"."templates" (
	"type" text NOT NULL,
	"language" text NOT NULL,
	"subject" text,
	"body" text NOT NULL,
	"version" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "templates_type_language_pk" PRIMARY KEY("type","language")
);
--> statement-breakpoint
CREATE TABLE "terce"."dismissals" (
	"channel" text NOT NULL,
	"reason" text NOT NULL,
	"failed_before" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "dismissals_channel_reason_pk" PRIMARY KEY("channel","reason")
);
--> statement-breakpoint
CREATE TABLE "terce"."timezones" (
	"name" text PRIMARY KEY NOT NULL,
	"rules" text NOT NULL,
	"version" text NOT NULL,
	"previous_rules" text,
	"previous_version" text,
	"changed_at" timestamp (3) with time zone,
	"replan_cursor" text
);
--> statement-breakpoint
CREATE TABLE "terce"."workers" (
	"id" text PRIMARY KEY NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "terce"."settled_events_other" PARTITION OF "terce"."settled_events" (
	CONSTRAINT "settled_events_other_pkey" PRIMARY KEY("occasion_id","occurrence")
) DEFAULT;
--> statement-breakpoint
CREATE TABLE "terce"."payloads_other" PARTITION OF "terce"."payloads" DEFAULT;
--> statement-breakpoint
ALTER TABLE "terce"."ledger_problems" ADD CONSTRAINT "ledger_problems_occasion_id_occasions_id_fk" FOREIGN KEY ("occasion_id") REFERENCES "terce"."occasions"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "terce"."occasions" ADD CONSTRAINT "occasions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "terce"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "terce"."tasks" ADD CONSTRAINT "tasks_id_occasions_id_fk" FOREIGN KEY ("id") REFERENCES "terce"."occasions"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "terce"."feeds" ADD CONSTRAINT "feeds_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "terce"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "enqueued_changes_by_external_id" ON "terce"."enqueued_changes" USING btree ("external_id","id");
--> statement-breakpoint
CREATE INDEX "enqueued_changes_pending" ON "terce"."enqueued_changes" USING btree ("id") WHERE rejected_at is null;
--> statement-breakpoint
CREATE UNIQUE INDEX "events_one_per_occurrence" ON "terce"."events" USING btree ("occasion_id","occurrence");
--> statement-breakpoint
CREATE INDEX "events_by_lane" ON "terce"."events" USING btree ("lane","wake_at");
--> statement-breakpoint
CREATE INDEX "events_replays" ON "terce"."events" USING btree ("occasion_id") WHERE replay_of is not null;
--> statement-breakpoint
CREATE INDEX "events_displaced" ON "terce"."events" USING btree ("target_at") WHERE plan_revision > 0 or replay_of is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX "settled_events_by_id" ON "terce"."settled_events" USING btree ("id");
--> statement-breakpoint
CREATE INDEX "settled_events_failed" ON "terce"."settled_events" USING btree ("id") WHERE failure_code is not null;
--> statement-breakpoint
CREATE INDEX "settled_events_replays" ON "terce"."settled_events" USING btree ("occasion_id") WHERE replay_of is not null;
--> statement-breakpoint
CREATE INDEX "settled_events_displaced" ON "terce"."settled_events" USING btree ("target_at") WHERE plan_revision is not null or replay_of is not null;
--> statement-breakpoint
CREATE INDEX "settled_events_by_settlement" ON "terce"."settled_events" USING brin ("executed_at");
--> statement-breakpoint
CREATE INDEX "occasions_by_user" ON "terce"."occasions" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "occasions_by_type" ON "terce"."occasions" USING btree ("type","user_id") WHERE type <> 'BIRTHDAY';
--> statement-breakpoint
CREATE INDEX "occasions_by_channel" ON "terce"."occasions" USING btree ("channel_id") WHERE channel_id is not null;
--> statement-breakpoint
CREATE INDEX "occasions_paused" ON "terce"."occasions" USING btree ("user_id") WHERE paused_at is not null;
--> statement-breakpoint
CREATE INDEX "tasks_by_due" ON "terce"."tasks" USING btree ("due_at","id");
--> statement-breakpoint
CREATE INDEX "tasks_by_user" ON "terce"."tasks" USING btree ("user_id","id");
--> statement-breakpoint
CREATE INDEX "users_by_timezone" ON "terce"."users" USING btree ("timezone","id");
--> statement-breakpoint
CREATE INDEX "users_by_name" ON "terce"."users" USING btree ("search_text","id");
--> statement-breakpoint
CREATE INDEX "users_by_words" ON "terce"."users" USING gin (array_to_tsvector(array_remove(string_to_array(search_text, ' '), '')));
--> statement-breakpoint
CREATE UNIQUE INDEX "users_by_external_id" ON "terce"."users" USING btree ("external_id") WHERE external_id is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_by_hash" ON "terce"."api_keys" USING btree ("hash");
--> statement-breakpoint
CREATE INDEX "audit_entries_by_object" ON "terce"."audit_entries" USING btree ("object_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "channels_by_name" ON "terce"."channels" USING btree ("name");
--> statement-breakpoint
CREATE UNIQUE INDEX "feeds_by_token" ON "terce"."feeds" USING btree ("token_hash");
--> statement-breakpoint
CREATE INDEX "feeds_by_user" ON "terce"."feeds" USING btree ("user_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_by_hash" ON "terce"."sessions" USING btree ("hash");
--> statement-breakpoint
CREATE VIEW "terce"."all_events" AS
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
FROM "terce"."events" e JOIN "terce"."occasions" o ON o."id" = e."occasion_id" LEFT JOIN "terce"."payloads" p ON p."event_id" = e."id"
UNION ALL
SELECT s."id", s."occasion_id", o."user_id", o."type", s."occurrence", s."status",
	(extract(epoch FROM s."target_at") * 1000)::float8, s."offset_seconds", s."timezone", s."tz_version",
	NULL::float8, s."retry_count", s."version", s."claimed_by", (extract(epoch FROM s."claimed_at") * 1000)::float8,
	(extract(epoch FROM s."executed_at") * 1000)::float8, s."status_code", s."failure_code", s."last_error", p."body",
	(extract(epoch FROM s."created_at") * 1000)::float8, (extract(epoch FROM s."updated_at") * 1000)::float8,
	s."replay_of", s."own_key", coalesce(s."channel_id", o."channel_id"), s."target_at",
	s."plan_revision" IS NOT NULL OR s."replay_of" IS NOT NULL
FROM "terce"."settled_events" s JOIN "terce"."occasions" o ON o."id" = s."occasion_id" LEFT JOIN "terce"."payloads" p ON p."event_id" = s."id";
--> statement-breakpoint
-- These functions have the rights of the role that migrates: that of a process may not change a table.
CREATE FUNCTION terce.history_months(history text) RETURNS TABLE (name text, from_id uuid, before_id uuid)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT relname::text, bounds[1]::uuid, bounds[2]::uuid
  FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid,
    regexp_match(pg_get_expr(relpartbound, pg_class.oid), 'FROM \(''([^'']+)''\) TO \(''([^'']+)''\)') AS bounds
  WHERE inhparent = ('terce.' || history)::regclass AND bounds IS NOT NULL
$$;
--> statement-breakpoint
CREATE FUNCTION terce.create_history_month() RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '50ms' AS $$
DECLARE
  history text;
  key text;
  month timestamptz;
  month_name text;
  bounds uuid[];
  rows bigint;
BEGIN
  -- Another process creates it.
  IF NOT pg_try_advisory_xact_lock('terce.settled_events'::regclass::oid::bigint) THEN
    RETURN NULL;
  END IF;
  FOREACH history IN ARRAY ARRAY['settled_events', 'payloads'] LOOP
    key := CASE history WHEN 'payloads' THEN 'event_id' ELSE 'id' END;
    month := coalesce(
      (SELECT to_timestamp((('x0000' || substr(encode(uuid_send(before_id), 'hex'), 1, 12))::bit(64)::bigint)::float8 / 1000)
        FROM terce.history_months(history) ORDER BY before_id DESC LIMIT 1),
      date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC');
    WHILE month < now() + interval '3 months' LOOP
      SELECT array_agg((left(hex, 8) || '-' || right(hex, 4) || '-7000-8000-000000000000')::uuid ORDER BY hex) INTO bounds
      FROM unnest(ARRAY[month, (month AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC']) AS edge,
        lpad(to_hex((extract(epoch FROM edge) * 1000)::bigint), 12, '0') AS hex;
      month_name := history || to_char(month AT TIME ZONE 'UTC', '_YYYY_MM');
      EXECUTE format('SELECT count(*) FROM (SELECT FROM terce.%I WHERE %I >= $1 AND %2$I < $2 LIMIT 1001) AS found', history || '_other', key)
        INTO rows USING bounds[1], bounds[2];
      -- A month whose rows are in the default partition stays there: to move them all would hold the lock for too long.
      IF rows <= 1000 THEN
        EXECUTE format('CREATE TABLE terce.%I (LIKE terce.%I INCLUDING ALL)', month_name, history || '_other');
        EXECUTE format('LOCK TABLE terce.%I IN ACCESS EXCLUSIVE MODE', history || '_other');
        EXECUTE format('WITH moved AS (DELETE FROM terce.%I WHERE %I >= $1 AND %2$I < $2 RETURNING *)
          INSERT INTO terce.%I SELECT * FROM moved', history || '_other', key, month_name) USING bounds[1], bounds[2];
        EXECUTE format('ALTER TABLE terce.%I ATTACH PARTITION terce.%I FOR VALUES FROM (%L) TO (%L)', history, month_name, bounds[1], bounds[2]);
        RETURN month_name;
      END IF;
      month := (month AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC';
    END LOOP;
  END LOOP;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION terce.drop_history_month(month_name text, kept_ids uuid[], searched_at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '50ms' AS $$
DECLARE
  history text := CASE WHEN month_name LIKE 'payloads%' THEN 'payloads' ELSE 'settled_events' END;
  key text := CASE history WHEN 'payloads' THEN 'event_id' ELSE 'id' END;
  kept_name text := month_name || '_kept';
  bounds uuid[];
  kept uuid[] := kept_ids;
  is_small boolean;
BEGIN
  SELECT ARRAY[from_id, before_id] INTO bounds FROM terce.history_months(history)
    WHERE name = month_name AND name NOT LIKE '%kept';
  IF bounds IS NULL THEN
    RETURN false;
  END IF;
  -- From here on no row of the month is added or deleted, and all can be read.
  EXECUTE format('LOCK TABLE terce.%I IN SHARE MODE', month_name);
  IF history = 'payloads' THEN
    IF to_regclass(format('terce.%I', replace(month_name, 'payloads', 'settled_events'))) IS NOT NULL THEN
      RETURN false;
    END IF;
    SELECT array_agg(id) INTO kept FROM (
      SELECT id FROM terce.settled_events WHERE id >= bounds[1] AND id < bounds[2] UNION ALL
      SELECT id FROM terce.events WHERE id >= bounds[1] AND id < bounds[2] LIMIT 50001) AS needed;
  ELSE
    EXECUTE format('SELECT $1 || array_agg(id) FROM terce.%I WHERE executed_at >= $2', month_name) INTO kept USING kept, searched_at;
  END IF;
  IF cardinality(kept) > 50000 THEN
    RETURN false;
  END IF;
  -- A few rows move to the default partition, under its lock. More of them get a partition of their own, which is filled before.
  is_small := coalesce(cardinality(kept), 0) <= 200;
  IF NOT is_small THEN
    EXECUTE format('CREATE TABLE terce.%I (LIKE terce.%I INCLUDING ALL)', kept_name, history || '_other');
    EXECUTE format('INSERT INTO terce.%I SELECT * FROM terce.%I WHERE %I = ANY ($1)', kept_name, month_name, key) USING kept;
    EXECUTE format('ALTER TABLE terce.%1$I ADD CONSTRAINT bounds CHECK (%2$I >= %3$L AND %2$I < %4$L)', kept_name, key, bounds[1], bounds[2]);
  END IF;
  EXECUTE format('ALTER TABLE terce.%I DETACH PARTITION terce.%I', history, month_name);
  IF is_small THEN
    EXECUTE format('INSERT INTO terce.%I SELECT * FROM terce.%I WHERE %I = ANY ($1)', history, month_name, key) USING kept;
  ELSE
    EXECUTE format('ALTER TABLE terce.%I ATTACH PARTITION terce.%I FOR VALUES FROM (%L) TO (%L)', history, kept_name, bounds[1], bounds[2]);
    EXECUTE format('ALTER TABLE terce.%I DROP CONSTRAINT bounds', kept_name);
  END IF;
  EXECUTE format('DROP TABLE terce.%I', month_name);
  RETURN true;
END
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION terce.history_months(text), terce.create_history_month(), terce.drop_history_month(text, uuid[], timestamptz) FROM PUBLIC;
--> statement-breakpoint
CREATE FUNCTION terce.enqueue_change(operation text, external_id text, body jsonb) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  key text := btrim(external_id, E' \t\n\r\f\x0b');
  new_id bigint;
BEGIN
  IF getdatabaseencoding() = 'UTF8' THEN
    -- The same blanks as String.prototype.trim removes: an erasure finds a change by the id that the API stores.
    key := btrim(normalize(external_id, NFC), (SELECT string_agg(chr(blank), '') FROM unnest(ARRAY[9, 10, 11, 12, 13, 32, 160, 5760,
      8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199, 8200, 8201, 8202, 8232, 8233, 8239, 8287, 12288, 65279]) AS blank));
  END IF;
  IF operation <> 'deleteUser' AND jsonb_typeof(body) IS DISTINCT FROM 'object' THEN
    RAISE EXCEPTION 'The argument must be a JSON object.' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF body ? 'externalId' AND jsonb_typeof(body -> 'externalId') <> 'string' THEN
    RAISE EXCEPTION 'The field "externalId" must be a string.' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF key IS NULL OR key = '' THEN
    RAISE EXCEPTION 'The external id is missing.' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF char_length(key) > 200 THEN
    RAISE EXCEPTION 'The external id has more than 200 characters.' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF octet_length(body::text) > 65536 THEN
    RAISE EXCEPTION 'The JSON object has more than 64 KiB.' USING ERRCODE = 'program_limit_exceeded';
  END IF;
  INSERT INTO terce.enqueued_changes (operation, external_id, body) VALUES (operation, key, body)
    RETURNING enqueued_changes.id INTO new_id;
  PERFORM pg_notify(nspname || '_enqueued', '') FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE pg_class.oid = 'terce.enqueued_changes'::regclass;
  RETURN new_id;
END
$$;
--> statement-breakpoint
CREATE FUNCTION terce.enqueue_user(person jsonb) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT terce.enqueue_change('upsertUser', person ->> 'externalId', person)
$$;
--> statement-breakpoint
CREATE FUNCTION terce.enqueue_user_deletion(external_id text) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT terce.enqueue_change('deleteUser', external_id, NULL)
$$;
--> statement-breakpoint
CREATE FUNCTION terce.enqueue_task(task jsonb) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT terce.enqueue_change('createTask', task ->> 'externalId', task)
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION terce.enqueue_change(text, text, jsonb), terce.enqueue_user(jsonb),
  terce.enqueue_user_deletion(text), terce.enqueue_task(jsonb) FROM PUBLIC;
--> statement-breakpoint
CREATE VIEW terce.enqueue_errors AS
  SELECT id, operation, external_id, problem ->> 'code' AS code, problem ->> 'detail' AS detail,
    problem -> 'problems' AS problems, body, enqueued_at, rejected_at, retry_at
  FROM terce.enqueued_changes WHERE problem IS NOT NULL;
--> statement-breakpoint
CREATE FUNCTION terce.notify_channels() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify(TG_TABLE_SCHEMA || '_channels', '');
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER channels_changed AFTER INSERT OR UPDATE OR DELETE ON terce.channels
FOR EACH STATEMENT EXECUTE FUNCTION terce.notify_channels();
--> statement-breakpoint
CREATE TRIGGER destinations_inserted AFTER INSERT ON terce.destinations
FOR EACH ROW EXECUTE FUNCTION terce.notify_channels();
--> statement-breakpoint
CREATE TRIGGER destinations_changed AFTER UPDATE ON terce.destinations FOR EACH ROW
WHEN ((OLD.down_since, OLD.recovered_at, OLD.held_at, OLD.held_until)
  IS DISTINCT FROM (NEW.down_since, NEW.recovered_at, NEW.held_at, NEW.held_until))
EXECUTE FUNCTION terce.notify_channels();
