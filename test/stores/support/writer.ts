// A process of its own that creates people one after another and prints each id once its write was acknowledged.
// Never ends by itself: it is there to be killed. node writer.ts <database file>
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { makePerson } from '../../support/fixtures.ts'

const store = openSqliteStore(process.argv[2]!)
for (;;) {
  const person = makePerson()
  await store.createUsers([person])
  process.stdout.write(`${person.user.id}\n`)
  await new Promise((resolve) => setImmediate(resolve))
}
