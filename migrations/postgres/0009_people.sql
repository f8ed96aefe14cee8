-- By hand: the column is renamed, so that no row is written. Its old text is found until the service has folded it.
ALTER TABLE "users" RENAME COLUMN "search_name" TO "search_text";--> statement-breakpoint
ALTER TABLE "users" ALTER COLUMN "search_text" TYPE text COLLATE "C";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "folded" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ALTER COLUMN "folded" SET DEFAULT true;--> statement-breakpoint
CREATE INDEX "occasions_by_type" ON "occasions" USING btree ("type","user_id") WHERE type <> 'BIRTHDAY';--> statement-breakpoint
CREATE INDEX "occasions_by_channel" ON "occasions" USING btree ("channel_id") WHERE channel_id is not null;--> statement-breakpoint
CREATE INDEX "occasions_paused" ON "occasions" USING btree ("user_id") WHERE paused_at is not null;--> statement-breakpoint
CREATE INDEX "users_by_name" ON "users" USING btree ("search_text","id");--> statement-breakpoint
CREATE INDEX "users_by_words" ON "users" USING gin (array_to_tsvector(array_remove(string_to_array(search_text, ' '), '')));--> statement-breakpoint
CREATE INDEX "users_unfolded" ON "users" USING btree ("id") WHERE not folded;
