-- oldest release: 0.1.0
ALTER TABLE "terce"."timezones" ADD COLUMN "replan_cursor" text;
