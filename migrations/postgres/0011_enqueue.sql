-- oldest release: 0.1.0
-- The functions and the view are by hand. Only the roles that are granted EXECUTE may enqueue: docs/enqueue.md.
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
CREATE INDEX "enqueued_changes_by_external_id" ON "terce"."enqueued_changes" USING btree ("external_id","id");--> statement-breakpoint
CREATE INDEX "enqueued_changes_pending" ON "terce"."enqueued_changes" USING btree ("id") WHERE rejected_at is null;
--> statement-breakpoint
CREATE FUNCTION terce.enqueue_change(operation text, external_id text, body jsonb) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  key text := btrim(external_id, E' \t\n\r\f\x0b');
  new_id bigint;
BEGIN
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
  IF getdatabaseencoding() = 'UTF8' THEN
    key := normalize(key, NFC);
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
