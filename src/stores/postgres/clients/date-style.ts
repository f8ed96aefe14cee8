// Reads timestamps on a connection with any DateStyle, which a role or a database can set. Terce cannot set it: the connection may be
// in a transaction of an application, or come from a transaction pooler.
import pg from 'pg'
import { asJsonRows, valuesOf } from './json-rows.ts'
import type { Client } from './naming.ts'

type Statement = { text: string; values?: unknown[]; types?: pg.CustomTypesConfig }

class NotIso extends Error {}

/** `2027-02-01 09:00:00+00`: the other styles have the year at the end, and some have the day before the month. */
function requireIso(text: string): string {
  if (text[4] !== '-') throw new NotIso('The DateStyle is not ISO.')
  return text
}

/** For the statements that Drizzle builds. A read that meets another style is repeated with its rows as JSON, whose dates are ISO. */
export function withAnyDateStyle(client: Client): Client {
  const query = async (statement: string | Statement, ...rest: unknown[]) => {
    const run = (asked: string | Statement) => Reflect.apply(client.query, client, [asked, ...rest])
    if (typeof statement === 'string' || statement.types === undefined) return run(statement)
    const { getTypeParser } = statement.types
    const parserOf = (oid: number, format?: never) =>
      oid === pg.types.builtins.TIMESTAMPTZ ? requireIso : getTypeParser(oid, format)
    try {
      return await run({ ...statement, types: { getTypeParser: parserOf as typeof getTypeParser } })
    } catch (error) {
      const json =
        error instanceof NotIso && /^(select|with)\b/i.test(statement.text) && asJsonRows(statement.text)
      if (!json) throw error
      const result = await run({ text: json, ...(statement.values && { values: statement.values }) })
      return { ...result, rows: valuesOf(result.rows) }
    }
  }
  return { query } as unknown as Client
}
