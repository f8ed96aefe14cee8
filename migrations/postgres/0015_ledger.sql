-- oldest release: 0.1.0
CREATE TABLE "terce"."journal" (
	"number" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "terce"."journal_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone NOT NULL,
	"kind" text NOT NULL,
	"user_id" uuid,
	"occasion_id" uuid,
	"subject" text,
	"details" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "terce"."ledger_days" (
	"day" text PRIMARY KEY NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"cursor" text,
	"people" integer DEFAULT 0 NOT NULL,
	"expected" integer DEFAULT 0 NOT NULL,
	"delivered" integer DEFAULT 0 NOT NULL,
	"late" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"excused" integer DEFAULT 0 NOT NULL,
	"open" integer DEFAULT 0 NOT NULL,
	"unexplained" integer DEFAULT 0 NOT NULL,
	"surplus" integer DEFAULT 0 NOT NULL,
	"carried" integer DEFAULT 0 NOT NULL,
	"tz_version" text,
	"root" text,
	"previous" text,
	"signature" text,
	"public_key" text,
	"alarmed_at" timestamp (3) with time zone,
	"pruned_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "terce"."ledger_keys" (
	"public_key" text PRIMARY KEY NOT NULL,
	"private_key" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "terce"."ledger_lines" (
	"day" text NOT NULL,
	"commitment" text NOT NULL,
	"place" text NOT NULL,
	"reason" text,
	"occasion_id" uuid,
	"event_id" uuid,
	"occurrence" text,
	"due_at" timestamp (3) with time zone,
	"settled_at" timestamp (3) with time zone,
	"attempt" integer,
	"entry" bigint,
	"because" text,
	"carried_from" text,
	"salt" text,
	CONSTRAINT "ledger_lines_day_commitment_pk" PRIMARY KEY("day","commitment")
);
--> statement-breakpoint
CREATE TABLE "terce"."ledger_occasions" (
	"occasion_id" uuid PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE INDEX "journal_by_user" ON "terce"."journal" USING btree ("user_id") WHERE user_id is not null;--> statement-breakpoint
CREATE INDEX "journal_by_occasion" ON "terce"."journal" USING btree ("occasion_id") WHERE occasion_id is not null;--> statement-breakpoint
CREATE INDEX "journal_by_kind" ON "terce"."journal" USING btree ("kind","at") WHERE user_id is null and occasion_id is null;--> statement-breakpoint
CREATE INDEX "ledger_lines_by_occasion" ON "terce"."ledger_lines" USING btree ("occasion_id","day") WHERE occasion_id is not null;--> statement-breakpoint
CREATE INDEX "ledger_lines_by_event" ON "terce"."ledger_lines" USING btree ("event_id") WHERE event_id is not null;
