// A database that is emptied and used again. One for each of two hundred tests takes longer to make, and minutes to delete.
import { query } from './audit.ts'

export type Emptied = {
  /** An empty database, by its address. */
  take(): Promise<string>
  /** When nobody is connected any more. */
  giveBack(url: string): Promise<void>
}

export function emptiedDatabases(create: () => Promise<string>, schema = 'terce'): Emptied {
  const idle: string[] = []
  return {
    take: async () => idle.pop() ?? create(),
    async giveBack(url) {
      const tables = await query<{ name: string }>(
        url,
        `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
          WHERE schemaname = '${schema}' AND tablename NOT LIKE '%migrations'`,
      )
      if (tables.length > 0) await query(url, `TRUNCATE ${tables.map(({ name }) => name).join(', ')}`)
      idle.push(url)
    },
  }
}
