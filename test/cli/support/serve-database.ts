// Serves the API on a test's database over HTTP, with an API key.
import { afterEach } from 'vitest'
import { localApp } from '../../../src/cli/local-app.ts'
import type { Scope } from '../../../src/domain/access/api-key.ts'
import { readConfig } from '../../../src/runtimes/config/config.ts'
import { type Database, openDatabase } from '../../../src/runtimes/node/database.ts'
import { accessOf } from '../../../src/runtimes/shared/access.ts'
import { useServer } from '../../client/support/serve.ts'

export const KEY = 'terce_of_the_test_with_many_characters'

/** Returns a function that starts a server whose key has the given scope, and returns its address. */
export function useServedDatabase(of: { path: string }): (scope: Scope) => Promise<string> {
  const opened: Database[] = []
  afterEach(async () => {
    for (const database of opened.splice(0)) await database.close()
  })
  const start = useServer()
  return async (scope) => {
    const env = { DATABASE_URL: `sqlite:${of.path}`, TERCE_API_KEYS: `test:${scope}:${KEY}` }
    const config = readConfig(env)
    const database = await openDatabase(config.database, () => {}, { attempts: 1 })
    opened.push(database)
    return start(localApp(config, database, { access: accessOf(config, database, () => {}) }))
  }
}
