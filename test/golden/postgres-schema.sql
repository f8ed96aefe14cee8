CREATE TABLE api_keys (
  id uuid NOT NULL,
  name text NOT NULL,
  hash text NOT NULL,
  scope text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  last_used_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone,
  allowed_from text,
  CONSTRAINT api_keys_pkey PRIMARY KEY (id)
);

CREATE TABLE attempts (
  event_id uuid NOT NULL,
  number integer NOT NULL,
  claimed_by text NOT NULL,
  started_at timestamp(3) with time zone NOT NULL,
  finished_at timestamp(3) with time zone NOT NULL,
  status_code integer,
  error text NOT NULL,
  outcome text NOT NULL DEFAULT 'RETRY'::text,
  channel_id uuid,
  exchange text,
  CONSTRAINT attempts_event_id_number_pk PRIMARY KEY (event_id, number)
);

CREATE TABLE audit_entries (
  number integer NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  actor text,
  address text,
  action text NOT NULL,
  object_kind text,
  object_id text,
  rejected_with integer,
  count integer NOT NULL,
  details text,
  previous_hash text NOT NULL,
  hash text NOT NULL,
  CONSTRAINT audit_entries_pkey PRIMARY KEY (number)
);

CREATE TABLE channels (
  id uuid NOT NULL,
  name text NOT NULL,
  kind text NOT NULL,
  settings text NOT NULL,
  secrets text NOT NULL,
  default_since timestamp(3) with time zone,
  status text NOT NULL,
  status_reason text,
  version integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT channels_pkey PRIMARY KEY (id)
);

CREATE TABLE destinations (
  channel_id uuid NOT NULL,
  down_since timestamp(3) with time zone,
  last_error text,
  next_probe_at timestamp(3) with time zone,
  recovered_at timestamp(3) with time zone,
  paused_at timestamp(3) with time zone,
  paused_until timestamp(3) with time zone,
  paused_by text,
  CONSTRAINT destinations_pkey PRIMARY KEY (channel_id)
);

CREATE TABLE dismissals (
  channel text NOT NULL,
  reason text NOT NULL,
  failed_before timestamp(3) with time zone NOT NULL,
  CONSTRAINT dismissals_channel_reason_pk PRIMARY KEY (channel, reason)
);

CREATE TABLE enqueued_changes (
  id bigint NOT NULL,
  operation text NOT NULL,
  external_id text NOT NULL,
  body jsonb,
  enqueued_at timestamp(3) with time zone NOT NULL DEFAULT clock_timestamp(),
  failures integer NOT NULL DEFAULT 0,
  retry_at timestamp(3) with time zone,
  problem jsonb,
  rejected_at timestamp(3) with time zone,
  CONSTRAINT enqueued_changes_pkey PRIMARY KEY (id)
);

CREATE TABLE events (
  id uuid NOT NULL,
  occasion_id uuid NOT NULL,
  occurrence text NOT NULL,
  target_at timestamp(3) with time zone NOT NULL,
  offset_seconds integer NOT NULL,
  timezone text NOT NULL,
  tz_version text NOT NULL,
  retry_count integer NOT NULL,
  version integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  wake_at timestamp(3) with time zone NOT NULL,
  lease_until timestamp(3) with time zone,
  lease_batch integer,
  claimed_by text,
  claimed_at timestamp(3) with time zone,
  plan_revision integer NOT NULL,
  replay_of uuid,
  own_key boolean NOT NULL DEFAULT false,
  park_count integer NOT NULL DEFAULT 0,
  channel_id uuid,
  CONSTRAINT events_pkey PRIMARY KEY (id)
) WITH (fillfactor=42, autovacuum_vacuum_scale_factor=0.02);

CREATE TABLE feeds (
  id uuid NOT NULL,
  token_hash text NOT NULL,
  user_id uuid,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT feeds_pkey PRIMARY KEY (id),
  CONSTRAINT feeds_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES terce.users(id) ON DELETE CASCADE
);

CREATE TABLE journal (
  number bigint NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  kind text NOT NULL,
  user_id uuid,
  occasion_id uuid,
  subject text,
  details text NOT NULL,
  CONSTRAINT journal_pkey PRIMARY KEY (number)
);

CREATE TABLE ledger_days (
  day text NOT NULL,
  started_at timestamp(3) with time zone NOT NULL,
  closed_at timestamp(3) with time zone,
  cursor text,
  people integer NOT NULL DEFAULT 0,
  owed integer NOT NULL DEFAULT 0,
  delivered integer NOT NULL DEFAULT 0,
  late integer NOT NULL DEFAULT 0,
  early integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  excused integer NOT NULL DEFAULT 0,
  open integer NOT NULL DEFAULT 0,
  unexplained integer NOT NULL DEFAULT 0,
  surplus integer NOT NULL DEFAULT 0,
  carried integer NOT NULL DEFAULT 0,
  tz_version text,
  hash text,
  reported_at timestamp(3) with time zone,
  pruned_at timestamp(3) with time zone,
  CONSTRAINT ledger_days_dates CHECK ((day ~~ '____-__-__'::text)),
  CONSTRAINT ledger_days_pkey PRIMARY KEY (day)
);

CREATE TABLE ledger_lines (
  day text NOT NULL,
  number integer NOT NULL,
  place text NOT NULL,
  reason text,
  occasion_id uuid,
  event_id uuid,
  occurrence text,
  due_at timestamp(3) with time zone,
  expected_at timestamp(3) with time zone,
  settled_at timestamp(3) with time zone,
  attempt integer,
  entry bigint,
  because text,
  carried_from text,
  rank integer NOT NULL,
  CONSTRAINT ledger_lines_day_number_pk PRIMARY KEY (day, number)
);

CREATE TABLE ledger_occasions (
  occasion_id uuid NOT NULL,
  CONSTRAINT ledger_occasions_pkey PRIMARY KEY (occasion_id)
);

CREATE TABLE limit_leases (
  channel_id uuid NOT NULL,
  leases text NOT NULL,
  CONSTRAINT limit_leases_pkey PRIMARY KEY (channel_id)
);

CREATE TABLE moves (
  occasion_id uuid NOT NULL,
  event_id uuid NOT NULL,
  version integer NOT NULL,
  cause text NOT NULL,
  moved_at timestamp(3) with time zone NOT NULL,
  from_occurrence text,
  from_target_at timestamp(3) with time zone,
  from_offset_seconds integer,
  from_timezone text,
  to_occurrence text,
  to_target_at timestamp(3) with time zone,
  to_offset_seconds integer,
  to_timezone text,
  CONSTRAINT moves_occasion_id_event_id_version_pk PRIMARY KEY (occasion_id, event_id, version)
);

CREATE TABLE occasions (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  type text NOT NULL,
  date text,
  local_time text NOT NULL,
  leap_day text NOT NULL,
  repeats text NOT NULL DEFAULT 'YEARLY'::text,
  calendar text NOT NULL DEFAULT 'gregorian'::text,
  rule_revision integer NOT NULL DEFAULT 1,
  until text,
  paused_at timestamp(3) with time zone,
  template text,
  channel_id uuid,
  not_after text,
  data text,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT occasions_dates CHECK (((date ~~ '____-__-__'::text) AND (until ~~ '____-__-__'::text))),
  CONSTRAINT occasions_pkey PRIMARY KEY (id),
  CONSTRAINT occasions_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES terce.users(id) ON DELETE CASCADE
);

CREATE TABLE payloads (
  event_id uuid NOT NULL,
  body text NOT NULL,
  CONSTRAINT payloads_pkey PRIMARY KEY (event_id)
) PARTITION BY RANGE (event_id);

CREATE TABLE payloads_other (
  event_id uuid NOT NULL,
  body text NOT NULL,
  CONSTRAINT payloads_other_pkey PRIMARY KEY (event_id)
) PARTITION OF terce.payloads DEFAULT;

CREATE TABLE response_users (
  user_id uuid NOT NULL,
  response_key text NOT NULL,
  CONSTRAINT response_users_response_key_responses_key_fk FOREIGN KEY (response_key) REFERENCES terce.responses(key) ON DELETE CASCADE,
  CONSTRAINT response_users_user_id_response_key_pk PRIMARY KEY (user_id, response_key),
  CONSTRAINT response_users_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES terce.users(id) ON DELETE CASCADE
);

CREATE TABLE responses (
  key text NOT NULL,
  fingerprint text NOT NULL,
  status integer NOT NULL,
  body text,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT responses_pkey PRIMARY KEY (key)
);

CREATE TABLE schema_migrations (
  name text NOT NULL,
  applied_at timestamp with time zone NOT NULL DEFAULT now(),
  release text NOT NULL,
  oldest_release text NOT NULL,
  CONSTRAINT schema_migrations_pkey PRIMARY KEY (name)
);

CREATE TABLE sessions (
  id uuid NOT NULL,
  hash text NOT NULL,
  key_id text NOT NULL,
  user_agent text,
  created_at timestamp(3) with time zone NOT NULL,
  last_used_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT sessions_pkey PRIMARY KEY (id)
);

CREATE TABLE settled_events (
  id uuid NOT NULL,
  occasion_id uuid NOT NULL,
  occurrence text NOT NULL,
  target_at timestamp(3) with time zone NOT NULL,
  offset_seconds integer NOT NULL,
  timezone text NOT NULL,
  tz_version text NOT NULL,
  retry_count integer NOT NULL,
  version integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  status text NOT NULL,
  claimed_by text NOT NULL,
  claimed_at timestamp(3) with time zone NOT NULL,
  executed_at timestamp(3) with time zone NOT NULL,
  status_code integer,
  last_error text,
  replay_of uuid,
  own_key boolean NOT NULL DEFAULT false,
  failure_code text,
  channel_id uuid,
  plan_revision integer,
  exchange text
) PARTITION BY RANGE (id);

CREATE TABLE settled_events_other (
  id uuid NOT NULL,
  occasion_id uuid NOT NULL,
  occurrence text NOT NULL,
  target_at timestamp(3) with time zone NOT NULL,
  offset_seconds integer NOT NULL,
  timezone text NOT NULL,
  tz_version text NOT NULL,
  retry_count integer NOT NULL,
  version integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  status text NOT NULL,
  claimed_by text NOT NULL,
  claimed_at timestamp(3) with time zone NOT NULL,
  executed_at timestamp(3) with time zone NOT NULL,
  status_code integer,
  last_error text,
  replay_of uuid,
  own_key boolean NOT NULL DEFAULT false,
  failure_code text,
  channel_id uuid,
  plan_revision integer,
  exchange text,
  CONSTRAINT settled_events_other_pkey PRIMARY KEY (occasion_id, occurrence)
) PARTITION OF terce.settled_events DEFAULT;

CREATE TABLE tasks (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  title text NOT NULL,
  due_at timestamp(3) with time zone NOT NULL,
  due_revision integer NOT NULL,
  remind_before_ms bigint NOT NULL,
  quiet_hours text,
  data text,
  completed_at timestamp(3) with time zone,
  reminder_sent_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  version integer NOT NULL,
  CONSTRAINT tasks_id_occasions_id_fk FOREIGN KEY (id) REFERENCES terce.occasions(id) ON DELETE CASCADE,
  CONSTRAINT tasks_pkey PRIMARY KEY (id)
);

CREATE TABLE templates (
  type text NOT NULL,
  language text NOT NULL,
  subject text,
  body text NOT NULL,
  version integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT templates_type_language_pk PRIMARY KEY (type, language)
);

CREATE TABLE timezones (
  name text NOT NULL,
  rules text NOT NULL,
  version text NOT NULL,
  previous_rules text,
  previous_version text,
  changed_at timestamp(3) with time zone,
  replan_cursor text,
  CONSTRAINT timezones_pkey PRIMARY KEY (name)
);

CREATE TABLE users (
  id uuid NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  search_text text NOT NULL,
  date_of_birth text NOT NULL,
  timezone text NOT NULL,
  email text,
  language text,
  external_id text,
  version integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT users_dates CHECK ((date_of_birth ~~ '____-__-__'::text)),
  CONSTRAINT users_pkey PRIMARY KEY (id)
);

CREATE TABLE workers (
  id text NOT NULL,
  seen_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT workers_pkey PRIMARY KEY (id)
);

CREATE UNIQUE INDEX api_keys_by_hash ON terce.api_keys USING btree (hash);

CREATE UNIQUE INDEX api_keys_pkey ON terce.api_keys USING btree (id);

CREATE UNIQUE INDEX attempts_event_id_number_pk ON terce.attempts USING btree (event_id, number);

CREATE INDEX audit_entries_by_object ON terce.audit_entries USING btree (object_id);

CREATE UNIQUE INDEX audit_entries_pkey ON terce.audit_entries USING btree (number);

CREATE UNIQUE INDEX channels_by_name ON terce.channels USING btree (name);

CREATE UNIQUE INDEX channels_pkey ON terce.channels USING btree (id);

CREATE UNIQUE INDEX destinations_pkey ON terce.destinations USING btree (channel_id);

CREATE UNIQUE INDEX dismissals_channel_reason_pk ON terce.dismissals USING btree (channel, reason);

CREATE INDEX enqueued_changes_by_external_id ON terce.enqueued_changes USING btree (external_id, id);

CREATE INDEX enqueued_changes_pending ON terce.enqueued_changes USING btree (id) WHERE (rejected_at IS NULL);

CREATE UNIQUE INDEX enqueued_changes_pkey ON terce.enqueued_changes USING btree (id);

CREATE INDEX events_by_wake ON terce.events USING btree (wake_at);

CREATE INDEX events_displaced ON terce.events USING btree (target_at) WHERE ((plan_revision > 0) OR (replay_of IS NOT NULL));

CREATE UNIQUE INDEX events_one_per_occurrence ON terce.events USING btree (occasion_id, occurrence);

CREATE INDEX events_parked ON terce.events USING btree (channel_id, wake_at) WHERE (park_count > 0);

CREATE INDEX events_parked_by_due ON terce.events USING btree (channel_id, target_at) WHERE (park_count > 0);

CREATE UNIQUE INDEX events_pkey ON terce.events USING btree (id);

CREATE INDEX events_replays ON terce.events USING btree (occasion_id) WHERE (replay_of IS NOT NULL);

CREATE UNIQUE INDEX feeds_by_token ON terce.feeds USING btree (token_hash);

CREATE INDEX feeds_by_user ON terce.feeds USING btree (user_id);

CREATE UNIQUE INDEX feeds_pkey ON terce.feeds USING btree (id);

CREATE INDEX journal_by_kind ON terce.journal USING btree (kind, at) WHERE ((user_id IS NULL) AND (occasion_id IS NULL));

CREATE INDEX journal_by_occasion ON terce.journal USING btree (occasion_id) WHERE (occasion_id IS NOT NULL);

CREATE INDEX journal_by_user ON terce.journal USING btree (user_id) WHERE (user_id IS NOT NULL);

CREATE UNIQUE INDEX journal_pkey ON terce.journal USING btree (number);

CREATE UNIQUE INDEX ledger_days_pkey ON terce.ledger_days USING btree (day);

CREATE INDEX ledger_lines_by_event ON terce.ledger_lines USING btree (event_id) WHERE (event_id IS NOT NULL);

CREATE INDEX ledger_lines_by_occasion ON terce.ledger_lines USING btree (occasion_id, day) WHERE (occasion_id IS NOT NULL);

CREATE INDEX ledger_lines_by_rank ON terce.ledger_lines USING btree (day, rank, number) WHERE (rank < 7);

CREATE UNIQUE INDEX ledger_lines_day_number_pk ON terce.ledger_lines USING btree (day, number);

CREATE UNIQUE INDEX ledger_occasions_pkey ON terce.ledger_occasions USING btree (occasion_id);

CREATE UNIQUE INDEX limit_leases_pkey ON terce.limit_leases USING btree (channel_id);

CREATE UNIQUE INDEX moves_occasion_id_event_id_version_pk ON terce.moves USING btree (occasion_id, event_id, version);

CREATE INDEX occasions_by_channel ON terce.occasions USING btree (channel_id) WHERE (channel_id IS NOT NULL);

CREATE INDEX occasions_by_type ON terce.occasions USING btree (type, user_id) WHERE (type <> 'BIRTHDAY'::text);

CREATE INDEX occasions_by_user ON terce.occasions USING btree (user_id);

CREATE INDEX occasions_paused ON terce.occasions USING btree (user_id) WHERE (paused_at IS NOT NULL);

CREATE UNIQUE INDEX occasions_pkey ON terce.occasions USING btree (id);

CREATE UNIQUE INDEX payloads_other_pkey ON terce.payloads_other USING btree (event_id);

CREATE UNIQUE INDEX payloads_pkey ON ONLY terce.payloads USING btree (event_id);

CREATE INDEX response_users_by_key ON terce.response_users USING btree (response_key);

CREATE UNIQUE INDEX response_users_user_id_response_key_pk ON terce.response_users USING btree (user_id, response_key);

CREATE INDEX responses_by_age ON terce.responses USING btree (created_at);

CREATE UNIQUE INDEX responses_pkey ON terce.responses USING btree (key);

CREATE UNIQUE INDEX schema_migrations_pkey ON terce.schema_migrations USING btree (name);

CREATE UNIQUE INDEX sessions_by_hash ON terce.sessions USING btree (hash);

CREATE UNIQUE INDEX sessions_pkey ON terce.sessions USING btree (id);

CREATE UNIQUE INDEX settled_events_by_id ON ONLY terce.settled_events USING btree (id);

CREATE INDEX settled_events_by_settlement ON ONLY terce.settled_events USING brin (executed_at);

CREATE INDEX settled_events_displaced ON ONLY terce.settled_events USING btree (target_at) WHERE ((plan_revision IS NOT NULL) OR (replay_of IS NOT NULL));

CREATE INDEX settled_events_failed ON ONLY terce.settled_events USING btree (id) WHERE (failure_code IS NOT NULL);

CREATE INDEX settled_events_other_executed_at_idx ON terce.settled_events_other USING brin (executed_at);

CREATE UNIQUE INDEX settled_events_other_id_idx ON terce.settled_events_other USING btree (id);

CREATE INDEX settled_events_other_id_idx1 ON terce.settled_events_other USING btree (id) WHERE (failure_code IS NOT NULL);

CREATE INDEX settled_events_other_occasion_id_idx ON terce.settled_events_other USING btree (occasion_id) WHERE (replay_of IS NOT NULL);

CREATE UNIQUE INDEX settled_events_other_pkey ON terce.settled_events_other USING btree (occasion_id, occurrence);

CREATE INDEX settled_events_other_target_at_idx ON terce.settled_events_other USING btree (target_at) WHERE ((plan_revision IS NOT NULL) OR (replay_of IS NOT NULL));

CREATE INDEX settled_events_replays ON ONLY terce.settled_events USING btree (occasion_id) WHERE (replay_of IS NOT NULL);

CREATE INDEX tasks_by_due ON terce.tasks USING btree (due_at, id);

CREATE INDEX tasks_by_user ON terce.tasks USING btree (user_id, id);

CREATE UNIQUE INDEX tasks_pkey ON terce.tasks USING btree (id);

CREATE UNIQUE INDEX templates_type_language_pk ON terce.templates USING btree (type, language);

CREATE UNIQUE INDEX timezones_pkey ON terce.timezones USING btree (name);

CREATE UNIQUE INDEX users_by_external_id ON terce.users USING btree (external_id) WHERE (external_id IS NOT NULL);

CREATE INDEX users_by_name ON terce.users USING btree (search_text, id);

CREATE INDEX users_by_timezone ON terce.users USING btree (timezone, id);

CREATE INDEX users_by_words ON terce.users USING gin (array_to_tsvector(array_remove(string_to_array(search_text, ' '::text), ''::text)));

CREATE UNIQUE INDEX users_pkey ON terce.users USING btree (id);

CREATE UNIQUE INDEX workers_pkey ON terce.workers USING btree (id);

CREATE VIEW all_events AS
 SELECT e.id,
    e.occasion_id,
    o.user_id,
    o.type AS event_type,
    e.occurrence,
        CASE
            WHEN (e.claimed_at IS NULL) THEN 'PENDING'::text
            ELSE 'PROCESSING'::text
        END AS status,
    ((EXTRACT(epoch FROM e.target_at) * (1000)::numeric))::double precision AS target_at,
    e.offset_seconds,
    e.timezone,
    e.tz_version,
    ((EXTRACT(epoch FROM COALESCE(e.lease_until, e.wake_at)) * (1000)::numeric))::double precision AS wake_at,
    e.retry_count,
    e.version,
    e.claimed_by,
    ((EXTRACT(epoch FROM e.claimed_at) * (1000)::numeric))::double precision AS claimed_at,
    NULL::double precision AS executed_at,
    NULL::integer AS status_code,
    NULL::text AS failure_code,
    NULL::text AS last_error,
    p.body AS delivery_payload,
    ((EXTRACT(epoch FROM e.created_at) * (1000)::numeric))::double precision AS created_at,
    ((EXTRACT(epoch FROM e.updated_at) * (1000)::numeric))::double precision AS updated_at,
    e.replay_of,
    e.own_key,
    COALESCE(e.channel_id, o.channel_id) AS channel_id,
    e.target_at AS due_at,
    ((e.plan_revision > 0) OR (e.replay_of IS NOT NULL)) AS displaced
   FROM ((terce.events e
     JOIN terce.occasions o ON ((o.id = e.occasion_id)))
     LEFT JOIN terce.payloads p ON ((p.event_id = e.id)))
UNION ALL
 SELECT s.id,
    s.occasion_id,
    o.user_id,
    o.type AS event_type,
    s.occurrence,
    s.status,
    ((EXTRACT(epoch FROM s.target_at) * (1000)::numeric))::double precision AS target_at,
    s.offset_seconds,
    s.timezone,
    s.tz_version,
    NULL::double precision AS wake_at,
    s.retry_count,
    s.version,
    s.claimed_by,
    ((EXTRACT(epoch FROM s.claimed_at) * (1000)::numeric))::double precision AS claimed_at,
    ((EXTRACT(epoch FROM s.executed_at) * (1000)::numeric))::double precision AS executed_at,
    s.status_code,
    s.failure_code,
    s.last_error,
    p.body AS delivery_payload,
    ((EXTRACT(epoch FROM s.created_at) * (1000)::numeric))::double precision AS created_at,
    ((EXTRACT(epoch FROM s.updated_at) * (1000)::numeric))::double precision AS updated_at,
    s.replay_of,
    s.own_key,
    COALESCE(s.channel_id, o.channel_id) AS channel_id,
    s.target_at AS due_at,
    ((s.plan_revision IS NOT NULL) OR (s.replay_of IS NOT NULL)) AS displaced
   FROM ((terce.settled_events s
     JOIN terce.occasions o ON ((o.id = s.occasion_id)))
     LEFT JOIN terce.payloads p ON ((p.event_id = s.id)));

CREATE VIEW enqueue_errors AS
 SELECT id,
    operation,
    external_id,
    (problem ->> 'code'::text) AS code,
    (problem ->> 'detail'::text) AS detail,
    (problem -> 'problems'::text) AS problems,
    body,
    enqueued_at,
    rejected_at,
    retry_at
   FROM terce.enqueued_changes
  WHERE (problem IS NOT NULL);
