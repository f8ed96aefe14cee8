// `terce import` of a CSV file into an empty database: the whole command, from its start to its exit.
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Measured } from '../figures.ts'
import { onStop } from '../servers.ts'
import type { HomeName } from '../workloads.ts'
import { crowdFields } from './crowd.ts'
import { type Home, openHome, type ProductDeps } from './home.ts'
import { runTerce } from './process.ts'

/** Writes a file with that many people, and returns its path. */
export async function writePeople(people: number, fields = crowdFields): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'terce-import-'))
  onStop(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'people.csv')
  await pipeline(Readable.from(lines(people, fields)), createWriteStream(file))
  return file
}

const BLOCK = 10_000

function* lines(people: number, fields: typeof crowdFields): Generator<string> {
  yield 'firstName,lastName,dateOfBirth,timezone,email,externalId\n'
  for (let from = 0; from < people; from += BLOCK) {
    let block = ''
    for (let i = from; i < Math.min(from + BLOCK, people); i++) {
      const { firstName, lastName, dateOfBirth, timezone } = fields(i)
      block += `${firstName},${lastName},${dateOfBirth},${timezone},person-${i}@example.com,crm-${i}\n`
    }
    yield block
  }
}

export async function measureImport(
  { command, postgres }: ProductDeps,
  name: HomeName,
  from: { file: string; people: number },
): Promise<Measured> {
  const home = await openHome(name, command, postgres)
  try {
    return await importInto(home, command, from)
  } finally {
    await home.remove()
  }
}

/** Adds the people of the file to those that the home has. */
export async function importInto(
  home: Home,
  command: string,
  { file, people }: { file: string; people: number },
): Promise<{ seconds: number; perSecond: number }> {
  // Everyone has one event within the next 366 days.
  const countPeople = async () =>
    (await home.store.countOverdue(Date.now() + 367 * 24 * 60 * 60 * 1000)).count
  const before = await countPeople()
  await home.settleDown()
  const started = performance.now()
  await runTerce(command, ['import', file], { DATABASE_URL: home.databaseUrl })
  const seconds = (performance.now() - started) / 1_000
  const count = (await countPeople()) - before
  if (count !== people) throw new Error(`${count} of ${people} people were imported.`)
  return { seconds, perSecond: people / seconds }
}
