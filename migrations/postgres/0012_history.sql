-- oldest release: 0.1.0
-- transaction: none
-- By hand. Partitions the settled events and the bodies by the month of their ids: docs/decisions/0023-history-by-month.md. Each
-- step is one transaction. BOUND stands for the first id of the next month. Today's table becomes the partition of all ids before
-- BOUND, without a copy. The constraint that proves this is validated beside the running fleet. A later id belongs to an event that was
-- moved to an earlier date: a child table has these rows meanwhile, so that every read of the table still finds them, and the default
-- partition afterwards. The views on a table, and the rights to it, are transferred to the partitioned table in the step that
-- renames it. A step locks a table before its child, as every other statement does.
LOCK TABLE terce.settled_events IN ACCESS EXCLUSIVE MODE;
CREATE TABLE terce.settled_events_other (LIKE terce.settled_events INCLUDING ALL);
ALTER TABLE terce.settled_events_other INHERIT terce.settled_events;
CREATE FUNCTION terce.settled_events_redirect() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO terce.settled_events_other SELECT NEW.*;
  RETURN NULL;
END
$$;
CREATE TRIGGER settled_events_redirect BEFORE INSERT ON terce.settled_events
  FOR EACH ROW WHEN (NEW.id >= 'BOUND') EXECUTE FUNCTION terce.settled_events_redirect();
ALTER TABLE terce.settled_events ADD CONSTRAINT settled_events_bound CHECK (id < 'BOUND') NO INHERIT NOT VALID;
--> statement-breakpoint
WITH moved AS (DELETE FROM ONLY terce.settled_events WHERE id >= 'BOUND' RETURNING *)
  INSERT INTO terce.settled_events_other SELECT * FROM moved;
--> statement-breakpoint
ALTER TABLE terce.settled_events VALIDATE CONSTRAINT settled_events_bound;
--> statement-breakpoint
LOCK TABLE terce.settled_events IN ACCESS EXCLUSIVE MODE;
ALTER TABLE terce.settled_events_other NO INHERIT terce.settled_events;
DROP TRIGGER settled_events_redirect ON terce.settled_events;
DROP FUNCTION terce.settled_events_redirect();
ALTER TABLE terce.settled_events RENAME TO settled_events_before;
ALTER INDEX terce.settled_events_by_id RENAME TO settled_events_before_by_id;
ALTER INDEX terce.settled_events_failed RENAME TO settled_events_before_failed;
ALTER INDEX terce.settled_events_replays RENAME TO settled_events_before_replays;
ALTER INDEX terce.settled_events_displaced RENAME TO settled_events_before_displaced;
ALTER INDEX terce.settled_events_occasion_id_occurrence_pk RENAME TO settled_events_before_pkey;
CREATE TABLE terce.settled_events (LIKE terce.settled_events_before INCLUDING DEFAULTS) PARTITION BY RANGE (id);
CREATE UNIQUE INDEX settled_events_by_id ON terce.settled_events (id);
CREATE INDEX settled_events_failed ON terce.settled_events (id) WHERE failure_code is not null;
CREATE INDEX settled_events_replays ON terce.settled_events (occasion_id) WHERE replay_of is not null;
CREATE INDEX settled_events_displaced ON terce.settled_events (target_at) WHERE plan_revision is not null or replay_of is not null;
ALTER TABLE terce.settled_events ATTACH PARTITION terce.settled_events_before FOR VALUES FROM (MINVALUE) TO ('BOUND');
ALTER TABLE terce.settled_events ATTACH PARTITION terce.settled_events_other DEFAULT;
ALTER TABLE terce.settled_events_before DROP CONSTRAINT settled_events_bound;
--> statement-breakpoint
LOCK TABLE terce.payloads IN ACCESS EXCLUSIVE MODE;
CREATE TABLE terce.payloads_other (LIKE terce.payloads INCLUDING ALL);
ALTER TABLE terce.payloads_other INHERIT terce.payloads;
CREATE FUNCTION terce.payloads_redirect() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO terce.payloads_other SELECT NEW.*;
  RETURN NULL;
END
$$;
CREATE TRIGGER payloads_redirect BEFORE INSERT ON terce.payloads
  FOR EACH ROW WHEN (NEW.event_id >= 'BOUND') EXECUTE FUNCTION terce.payloads_redirect();
ALTER TABLE terce.payloads ADD CONSTRAINT payloads_bound CHECK (event_id < 'BOUND') NO INHERIT NOT VALID;
--> statement-breakpoint
WITH moved AS (DELETE FROM ONLY terce.payloads WHERE event_id >= 'BOUND' RETURNING *)
  INSERT INTO terce.payloads_other SELECT * FROM moved;
--> statement-breakpoint
ALTER TABLE terce.payloads VALIDATE CONSTRAINT payloads_bound;
--> statement-breakpoint
LOCK TABLE terce.payloads IN ACCESS EXCLUSIVE MODE;
ALTER TABLE terce.payloads_other NO INHERIT terce.payloads;
DROP TRIGGER payloads_redirect ON terce.payloads;
DROP FUNCTION terce.payloads_redirect();
ALTER TABLE terce.payloads RENAME TO payloads_before;
ALTER INDEX terce.payloads_pkey RENAME TO payloads_before_pkey;
CREATE TABLE terce.payloads (LIKE terce.payloads_before INCLUDING DEFAULTS, CONSTRAINT payloads_pkey PRIMARY KEY (event_id)) PARTITION BY RANGE (event_id);
ALTER TABLE terce.payloads ATTACH PARTITION terce.payloads_before FOR VALUES FROM (MINVALUE) TO ('BOUND');
ALTER TABLE terce.payloads ATTACH PARTITION terce.payloads_other DEFAULT;
ALTER TABLE terce.payloads_before DROP CONSTRAINT payloads_bound;
--> statement-breakpoint
-- The functions have the rights of the role that migrates. Roles that may delete settled events may execute them.
CREATE FUNCTION terce.history_months(history text) RETURNS TABLE (name text, from_id uuid, before_id uuid)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT relname::text, bounds[1]::uuid, bounds[2]::uuid
  FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid,
    regexp_match(pg_get_expr(relpartbound, pg_class.oid), 'FROM \(''?([^'')]+)''?\) TO \(''([^'')]+)''\)') AS found,
    LATERAL (SELECT ARRAY[nullif(found[1], 'MINVALUE'), found[2]]) AS pair (bounds)
  WHERE inhparent = ('terce.' || history)::regclass AND found IS NOT NULL
$$;
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
    SELECT to_timestamp((('x0000' || substr(encode(uuid_send(last.before_id), 'hex'), 1, 12))::bit(64)::bigint)::float8 / 1000)
      INTO month FROM terce.history_months(history) AS last ORDER BY last.before_id DESC LIMIT 1;
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
    WHERE name = month_name AND from_id IS NOT NULL AND name NOT LIKE '%kept';
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
