-- oldest release: 0.1.0
-- transaction: none
-- By hand. Moves the tables of 0.1.0 into the schema terce. The migrations before this one name no schema and create the tables
-- there on a new database, where this one changes nothing. Indexes, constraints and triggers move with their tables. Each step
-- is one transaction and locks one table. `public` stands for the schema that has the tables. The views are for processes of
-- 0.1.0; `terce migrate --finish` drops them. The table migrations comes last: it shows that the tables are still to move.
ALTER TABLE public.attempts SET SCHEMA terce;
CREATE VIEW public.attempts AS SELECT * FROM terce.attempts;
COMMENT ON VIEW public.attempts IS 'For Terce 0.1.0. Dropped by terce migrate --finish.';
--> statement-breakpoint
ALTER TABLE public.payloads SET SCHEMA terce;
CREATE VIEW public.payloads AS SELECT * FROM terce.payloads;
COMMENT ON VIEW public.payloads IS 'For Terce 0.1.0. Dropped by terce migrate --finish.';
--> statement-breakpoint
ALTER TABLE public.events SET SCHEMA terce;
CREATE VIEW public.events AS SELECT * FROM terce.events;
COMMENT ON VIEW public.events IS 'For Terce 0.1.0. Dropped by terce migrate --finish.';
--> statement-breakpoint
ALTER TABLE public.settled_events SET SCHEMA terce;
CREATE VIEW public.settled_events AS SELECT * FROM terce.settled_events;
COMMENT ON VIEW public.settled_events IS 'For Terce 0.1.0. Dropped by terce migrate --finish.';
--> statement-breakpoint
ALTER TABLE public.moves SET SCHEMA terce;
CREATE VIEW public.moves AS SELECT * FROM terce.moves;
COMMENT ON VIEW public.moves IS 'For Terce 0.1.0. Dropped by terce migrate --finish.';
--> statement-breakpoint
ALTER TABLE public.tasks SET SCHEMA terce;
CREATE VIEW public.tasks AS SELECT * FROM terce.tasks;
COMMENT ON VIEW public.tasks IS 'For Terce 0.1.0. Dropped by terce migrate --finish.';
--> statement-breakpoint
ALTER TABLE public.feeds SET SCHEMA terce;
CREATE VIEW public.feeds AS SELECT * FROM terce.feeds;
COMMENT ON VIEW public.feeds IS 'For Terce 0.1.0. Dropped by terce migrate --finish.';
--> statement-breakpoint
ALTER TABLE public.response_users SET SCHEMA terce;
CREATE VIEW public.response_users AS SELECT * FROM terce.response_users;
COMMENT ON VIEW public.response_users IS 'For Terce 0.1.0. Dropped by terce migrate --finish.';
--> statement-breakpoint
ALTER TABLE public.responses SET SCHEMA terce;
CREATE VIEW public.responses AS SELECT * FROM terce.responses;
COMMENT ON VIEW public.responses IS 'For Terce 0.1.0. Dropped by terce migrate --finish.';
--> statement-breakpoint
ALTER TABLE public.occasions SET SCHEMA terce;
CREATE VIEW public.occasions AS SELECT * FROM terce.occasions;
COMMENT ON VIEW public.occasions IS 'For Terce 0.1.0. Dropped by terce migrate --finish.';
--> statement-breakpoint
ALTER TABLE public.users SET SCHEMA terce;
CREATE VIEW public.users AS SELECT * FROM terce.users;
COMMENT ON VIEW public.users IS 'For Terce 0.1.0. Dropped by terce migrate --finish.';
--> statement-breakpoint
ALTER TABLE public.channels SET SCHEMA terce;
CREATE VIEW public.channels AS SELECT * FROM terce.channels;
COMMENT ON VIEW public.channels IS 'For Terce 0.1.0. Dropped by terce migrate --finish.';
--> statement-breakpoint
ALTER TABLE public.templates SET SCHEMA terce;
CREATE VIEW public.templates AS SELECT * FROM terce.templates;
COMMENT ON VIEW public.templates IS 'For Terce 0.1.0. Dropped by terce migrate --finish.';
--> statement-breakpoint
ALTER TABLE public.timezones SET SCHEMA terce;
CREATE VIEW public.timezones AS SELECT * FROM terce.timezones;
COMMENT ON VIEW public.timezones IS 'For Terce 0.1.0. Dropped by terce migrate --finish.';
--> statement-breakpoint
ALTER TABLE public.api_keys SET SCHEMA terce;
CREATE VIEW public.api_keys AS SELECT * FROM terce.api_keys;
COMMENT ON VIEW public.api_keys IS 'For Terce 0.1.0. Dropped by terce migrate --finish.';
--> statement-breakpoint
ALTER TABLE public.sessions SET SCHEMA terce;
CREATE VIEW public.sessions AS SELECT * FROM terce.sessions;
COMMENT ON VIEW public.sessions IS 'For Terce 0.1.0. Dropped by terce migrate --finish.';
--> statement-breakpoint
ALTER TABLE public.audit_entries SET SCHEMA terce;
CREATE VIEW public.audit_entries AS SELECT * FROM terce.audit_entries;
COMMENT ON VIEW public.audit_entries IS 'For Terce 0.1.0. Dropped by terce migrate --finish.';
--> statement-breakpoint
ALTER TABLE public.workers SET SCHEMA terce;
CREATE VIEW public.workers AS SELECT * FROM terce.workers;
COMMENT ON VIEW public.workers IS 'For Terce 0.1.0. Dropped by terce migrate --finish.';
--> statement-breakpoint
ALTER VIEW public.all_events SET SCHEMA terce;
CREATE VIEW public.all_events AS SELECT * FROM terce.all_events;
COMMENT ON VIEW public.all_events IS 'For Terce 0.1.0. Dropped by terce migrate --finish.';
--> statement-breakpoint
ALTER TABLE public.migrations SET SCHEMA terce;
CREATE VIEW public.migrations AS SELECT * FROM terce.migrations;
COMMENT ON VIEW public.migrations IS 'For Terce 0.1.0. Dropped by terce migrate --finish.';
