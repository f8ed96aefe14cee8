// Whether the database was copied to another one, and whether it should be.
import type { Config } from '../../runtimes/config/config.ts'
import { openSource } from '../../runtimes/node/copy.ts'
import { countPeople } from '../output/words.ts'
import { type Check, fail, ok } from './check.ts'

/** What one SQLite file was measured with: see docs/scale.md. */
const MEASURED_PEOPLE = 1_000_000

/** The schema is current. */
export async function checkCopy(settings: Config['database']): Promise<Check[]> {
  const source = await openSource(settings)
  try {
    const frozen = await source.frozenText()
    if (frozen !== null) return [fail('database', `${frozen}.`, 'Set DATABASE_URL to the new database.')]
    if (settings.kind === 'postgres') return []
    const people = await source.count(source.tables.find(({ name }) => name === 'users')!)
    if (people <= MEASURED_PEOPLE) return []
    return [ok('people', `${countPeople(people)} in a SQLite file. terce copy moves them to PostgreSQL.`)]
  } finally {
    await source.close()
  }
}
