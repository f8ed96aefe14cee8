// An application that uses the database too: its tables are in `public` and have the names of Terce's.
import { query } from './audit.ts'

const TABLES = ['users', 'events', 'occasions', 'tasks', 'attempts', 'sessions', 'migrations', 'workers']

export async function createApplication(url: string): Promise<void> {
  const tables = TABLES.map(
    (name) => `CREATE TABLE public.${name} (id serial PRIMARY KEY, note text NOT NULL);
    INSERT INTO public.${name} (note) VALUES ('of the application')`,
  )
  await query(url, tables.join(';'))
}

/** Everything outside the schemas, with the rows of the application's tables. */
export async function readApplication(url: string, schemas: readonly string[]): Promise<unknown> {
  const own = ['information_schema', ...schemas].map((name) => `'${name}'`).join(', ')
  const relations = await query<{ name: string }>(
    url,
    `SELECT format('%I.%I', nspname, relname) AS name FROM pg_class JOIN pg_namespace AS n ON n.oid = relnamespace
      WHERE nspname !~ '^pg_' AND nspname NOT IN (${own}) ORDER BY 1`,
  )
  const others = await query(
    url,
    `SELECT 'function' AS kind, proname AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace
      UNION ALL SELECT 'type', typname FROM pg_type WHERE typnamespace = 'public'::regnamespace
      UNION ALL SELECT 'extension', extname FROM pg_extension ORDER BY 1, 2`,
  )
  const rows = await Promise.all(TABLES.map((name) => query(url, `SELECT * FROM public.${name}`)))
  return { relations, others, rows }
}
