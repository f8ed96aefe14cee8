// Puts the schema of an installation into its statements, which are written for the schema `terce`. The name is part of the text,
// and not of the search path: a transaction pooler hands a connection, and its search path, to other clients.
import pg from 'pg'
import { SCHEMA } from '../../tables/postgres.ts'

/** A pool, or a client inside a transaction. */
export type Client = Pick<pg.ClientBase, 'query'>

/** The client under a name that replaces the schema in each statement. */
export function naming(client: Client, schema: string): Client {
  if (schema === SCHEMA) return client
  const named = namingFor(schema)
  return {
    query: (statement: string | { text: string }, ...rest: unknown[]) =>
      Reflect.apply(client.query, client, [
        typeof statement === 'string' ? named(statement) : { ...statement, text: named(statement.text) },
        ...rest,
      ]),
  } as Client
}

/** Shared by all clients: a text is searched once. */
const namings = new Map<string, (text: string) => string>()

function namingFor(schema: string): (text: string) => string {
  const known = namings.get(schema)
  if (known !== undefined) return known
  const texts = new Map<string, string>()
  const own = `${pg.escapeIdentifier(schema)}.`
  const named = (text: string) => {
    let replaced = texts.get(text)
    if (replaced === undefined) {
      replaced = text.replaceAll(WRITTEN, own)
      if (texts.size < KEPT_TEXTS) texts.set(text, replaced)
    }
    return replaced
  }
  namings.set(schema, named)
  return named
}

const WRITTEN = new RegExp(`\\b${SCHEMA}\\.|"${SCHEMA}"\\.`, 'g')

/** Statements without a list of varying length are fewer. */
const KEPT_TEXTS = 1_000
