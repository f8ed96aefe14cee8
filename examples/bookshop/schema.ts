// The tables of the bookshop. Terce keeps its own in the schema `terce` of the database.
import { date, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'

export const customers = pgTable('customers', {
  id: uuid().primaryKey().defaultRandom(),
  firstName: text('first_name').notNull(),
  lastName: text('last_name').notNull(),
  dateOfBirth: date('date_of_birth').notNull(),
  timezone: text().notNull(),
})

/** No unique constraint on customer and year: a voucher is inserted once because it commits with the settlement of its event. */
export const vouchers = pgTable('vouchers', {
  id: uuid().primaryKey().defaultRandom(),
  customerId: uuid('customer_id')
    .notNull()
    .references(() => customers.id, { onDelete: 'cascade' }),
  year: integer().notNull(),
  euros: integer().notNull(),
})

export const CREATE_TABLES = `
  CREATE TABLE IF NOT EXISTS customers (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(), first_name text NOT NULL, last_name text NOT NULL,
    date_of_birth date NOT NULL, timezone text NOT NULL);
  CREATE TABLE IF NOT EXISTS vouchers (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(), customer_id uuid NOT NULL REFERENCES customers ON DELETE CASCADE,
    year integer NOT NULL, euros integer NOT NULL)`
