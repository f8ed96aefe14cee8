// The client of an installation in another schema than `terce`: it replaces the name in the text of each statement.
import pg from 'pg'
import { PrimaryClient } from './primary-client.ts'
import { SCHEMA } from './schema/terce.ts'

/** The name is part of the text, and not of the search path: a transaction pooler hands a connection, and its search path, to other clients. */
export function clientFor(schema: string): typeof PrimaryClient {
  if (schema === SCHEMA) return PrimaryClient
  const texts = new Map<string, string>()
  const own = `${pg.escapeIdentifier(schema)}.`
  const replaced = (text: string) => {
    let known = texts.get(text)
    if (known === undefined) {
      known = text.replaceAll(OWN_NAME, own)
      if (texts.size < KEPT_TEXTS) texts.set(text, known)
    }
    return known
  }
  return class extends PrimaryClient {
    // biome-ignore lint/suspicious/noExplicitAny: nine overloads, which differ in what is not changed here.
    override query(statement: any, ...rest: unknown[]): any {
      const changed =
        typeof statement === 'string' ? replaced(statement) : { ...statement, text: replaced(statement.text) }
      return Reflect.apply(super.query, this, [changed, ...rest])
    }
  }
}

const OWN_NAME = new RegExp(`\\b${SCHEMA}\\.|"${SCHEMA}"\\.`, 'g')

/** Statements without a list of varying length are fewer. */
const KEPT_TEXTS = 1_000
