// Synchronises people.json to Terce: creates new people, updates changed ones, deletes nobody.
// Safe to run repeatedly: TERCE_URL=http://localhost:3000 TERCE_API_KEY=terce_… node sync-people.ts
import { readFileSync } from 'node:fs'
import { createClient, TerceError, type User } from 'terce/client'

type Person = Pick<User, 'firstName' | 'lastName' | 'dateOfBirth' | 'timezone'> & { externalId: string }

const { TERCE_URL: url = 'http://localhost:3000', TERCE_API_KEY: key } = process.env
const client = createClient({ url, key })
const people: Person[] = JSON.parse(readFileSync(new URL('people.json', import.meta.url), 'utf8'))

const known = new Map<string | null, User>()
for await (const user of client.each('/user', { query: { limit: 200 } })) known.set(user.externalId, user)

for (const person of people) {
  try {
    console.log(`${person.externalId}: ${await sync(person, known.get(person.externalId))}`)
  } catch (error) {
    if (!(error instanceof TerceError)) throw error
    // An invalid row does not stop the others.
    console.error(`${person.externalId}: ${error.message}`)
    process.exitCode = 1
  }
}

async function sync(person: Person, user: User | undefined): Promise<string> {
  if (user === undefined) {
    const { nextBirthdayEvent } = await client.post('/user', { body: person })
    if (nextBirthdayEvent === null) return 'created, without a date of birth'
    return `created, first greeted at ${nextBirthdayEvent.targetTimestampLocal}`
  }
  const { externalId: _, ...fields } = person
  if (Object.entries(fields).every(([name, value]) => user[name as keyof User] === value)) return 'unchanged'
  // Updates only the version that was read: another client may have changed the person since.
  const header = { 'If-Match': `"v${user.version}"` }
  const { rescheduled } = await client.put('/user/{id}', { path: { id: user.id }, header, body: fields })
  return `changed, ${rescheduled} moved`
}
