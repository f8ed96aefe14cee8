ALTER TABLE "attempts" ADD COLUMN "exchange" text;--> statement-breakpoint
ALTER TABLE "settled_events" ADD COLUMN "exchange" text;