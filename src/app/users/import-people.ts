// Imports people from CSV of any length, a batch at a time; each row is accepted or rejected on its own. A person who
// exists already, by external id, is not changed, so a file can be imported again.

import type { FieldProblem, Parsed } from '../../domain/errors.ts'
import { parseUuid } from '../../domain/events/uuid.ts'
import type { CsvRecord } from '../../domain/formats/csv.ts'
import {
  asWritten,
  createRepeats,
  derivedExternalId,
  type Header,
  readRow,
  readRows,
} from '../../domain/formats/people-table.ts'
import { differs, type User } from '../../domain/users/user.ts'
import type { NewPerson, UserStore } from '../../ports/store.ts'
import type { AppDeps } from '../app-deps.ts'
import { createPeople, preparePerson, withAnniversary } from './create.ts'
import { countDates, type SharedDate } from './shared-dates.ts'

/** A problem of a row. Contains no personal data except the timezone as written. */
export type RowProblem = { line: number } & FieldProblem

export type ImportReport = {
  /** Rows without the header and blank rows. */
  read: number
  created: number
  /** People who exist already. */
  unchanged: number
  /** How many of the existing people differ from their row. */
  different: number
  rejected: number
  /** The first hundred. */
  errors: RowProblem[]
  /** Dates of birth that more than 1 % of the rows share; absent if there is none. */
  sharedDates?: SharedDate[]
}

export type ImportResult =
  /** `next` is the row to continue with, from 1, after a stop at `most` or `mostRejected`; null at the end of the table. */
  | { kind: 'done'; report: ImportReport; next: number | null }
  /** The columns cannot be identified; no row was read. */
  | { kind: 'no-columns'; problems: FieldProblem[] }

export type ImportOptions = {
  /** Counts without writing. */
  dryRun: boolean
  /** The row to begin with, from 1. The rows before it are not read. */
  from?: number
  /** Stops after this many rows. */
  most?: number
  /** Stops after this many rejected rows: a small file can have millions of them. */
  mostRejected?: number
  /** People in one transaction; 500 by default. */
  batch?: number
  /** How many batches are written at once, while the next one is read; 1 by default. */
  inFlight?: number
  /** Called with every problem, also beyond the first hundred. */
  onProblem?: (problem: RowProblem) => void | Promise<void>
  /** Called after each full batch, in the order of the file. The report covers the rows up to its end. */
  onStep?: (report: ImportReport) => void
  /** Called between rows. It may wait while other work runs, and throw to end the import. */
  betweenRows?: () => Promise<void> | undefined
}

const BATCH = 500
const ERRORS_KEPT = 100

export async function importPeople(
  deps: AppDeps,
  pieces: AsyncIterable<string>,
  options: ImportOptions,
): Promise<ImportResult> {
  const { dryRun, batch: size = BATCH, from = 1, most = Number.POSITIVE_INFINITY } = options
  const { mostRejected = Number.POSITIVE_INFINITY } = options
  const report: ImportReport = { read: 0, created: 0, unchanged: 0, different: 0, rejected: 0, errors: [] }
  const writes = createWrites((people) => takeBatch(deps, people, { report, dryRun }), options.inFlight ?? 1)
  const repeats = createRepeats()
  const dates = countDates()
  let skip = from - 1
  let next: number | null = null
  let batch: NewPerson[] = []

  async function reject(line: number, problems: readonly FieldProblem[]): Promise<void> {
    report.rejected += 1
    for (const problem of problems) {
      if (report.errors.length < ERRORS_KEPT) report.errors.push({ line, ...problem })
      await options.onProblem?.({ line, ...problem })
    }
  }

  try {
    for await (const row of readRows(pieces)) {
      if ('problems' in row) return { kind: 'no-columns', problems: row.problems }
      const pause = options.betweenRows?.()
      if (pause !== undefined) await pause
      if (skip > 0) {
        skip -= 1
        continue
      }
      if (report.read >= most || report.rejected >= mostRejected) {
        next = from + report.read
        break
      }
      report.read += 1
      const { header, record } = row
      const person = readPerson(deps, header, record, repeats)
      if (person.ok) {
        batch.push(person.value)
        dates.add(person.value.user.dateOfBirth)
      } else await reject(record.line, person.problems)
      if (batch.length < size) continue
      const { read, rejected, errors } = report
      const upTo = { read, rejected, errors: [...errors] }
      await writes.add(batch, () => options.onStep?.({ ...report, ...upTo }))
      batch = []
    }
    await writes.add(batch)
    await writes.finish()
  } finally {
    // The batches before an error stay imported, and are counted.
    await writes.settled()
  }
  const sharedDates = dates.sharedBy(report.read)
  return { kind: 'done', report: { ...report, ...(sharedDates.length > 0 && { sharedDates }) }, next }
}

type Write = { externalIds: ReadonlySet<string>; done: Promise<void> }

/** Writes batches, the oldest first, at most `most` at once. A failure is thrown by a later call. */
function createWrites(write: (people: readonly NewPerson[]) => Promise<void>, most: number) {
  const running: Write[] = []

  async function finish(): Promise<void> {
    for (let next = running.shift(); next !== undefined; next = running.shift()) await next.done
  }

  return {
    /** Returns when the batch is being written. `onDone` is called in the order of the batches. */
    async add(people: readonly NewPerson[], onDone = () => {}): Promise<void> {
      const externalIds = new Set(people.map(({ user }) => user.externalId!))
      // A batch that repeats a person of an earlier one is compared with that person, who must be stored by then.
      const repeats = (earlier: Write) => people.some(({ user }) => earlier.externalIds.has(user.externalId!))
      if (running.some(repeats)) await finish()
      if (running.length >= most) await running.shift()!.done
      const before = running.at(-1)?.done
      const done = write(people).then(async () => {
        await before
        onDone()
      })
      // Thrown where it is awaited.
      done.catch(() => {})
      running.push({ externalIds, done })
    },
    finish,
    async settled(): Promise<void> {
      await Promise.allSettled(running.map(({ done }) => done))
    },
  }
}

function readPerson(
  deps: AppDeps,
  header: Header,
  record: CsvRecord,
  repeats: ReturnType<typeof createRepeats>,
): Parsed<NewPerson> {
  const row = readRow(header, record)
  if (!row.ok) return { ok: false, problems: row.problems.map((problem) => asWritten(header, problem)) }
  const { hiredOn = null, ...input } = row.value
  const person = preparePerson(deps, input, { deriveExternalId: derivedExternalId })
  const given = person.ok && row.value.externalId ? person.value.user.externalId : null
  const repeated = repeats(given, record.line)
  if (person.ok && repeated === null)
    return hiredOn === null ? person : { ok: true, value: withAnniversary(deps, person.value, hiredOn) }
  const problems = person.ok ? [repeated!] : person.problems
  return { ok: false, problems: problems.map((problem) => asWritten(header, problem)) }
}

async function takeBatch(
  deps: AppDeps,
  batch: readonly NewPerson[],
  { report, dryRun }: { report: ImportReport; dryRun: boolean },
): Promise<void> {
  const externalIds = batch.map(({ user }) => user.externalId!)
  // A file of new people needs no look-up: the unique index skips the others. An id of Terce may be the id of a person who
  // has no external id, and is in no such index.
  const looksFirst = dryRun || externalIds.some(isOurs)
  const there = looksFirst ? await findThere(deps.store, externalIds) : new Map<string, User>()
  const fresh: NewPerson[] = []
  const repeated: User[] = []
  for (const person of batch) {
    const { user } = person
    if (there.has(user.externalId!)) repeated.push(user)
    else {
      fresh.push(person)
      there.set(user.externalId!, user)
    }
  }
  const created = dryRun || fresh.length === 0 ? fresh.length : await create(deps, fresh)
  if (created < fresh.length) {
    const wanted = fresh.map(({ user }) => user.externalId!)
    const stored = await deps.store.findUsersByExternalId(wanted)
    for (const user of stored) there.set(user.externalId!, user)
  }
  const existing = created === fresh.length ? [] : fresh.map(({ user }) => user)
  report.created += created
  report.unchanged += batch.length - created
  report.different += [...repeated, ...existing].filter((user) => {
    const known = there.get(user.externalId!)!
    return differs(known, { ...user, externalId: known.externalId })
  }).length
}

async function create(deps: AppDeps, people: readonly NewPerson[]): Promise<number> {
  // In a fixed order, so that concurrent imports of the same people do not deadlock.
  const sorted = people.toSorted((a, b) => (a.user.externalId! < b.user.externalId! ? -1 : 1))
  return createPeople(deps, sorted)
}

/** Finds existing people by external id. An export writes the Terce id where there is no external id, so ids are looked up too. */
async function findThere(store: UserStore, externalIds: readonly string[]): Promise<Map<string, User>> {
  const there = new Map(
    (await store.findUsersByExternalId(externalIds)).map((user) => [user.externalId!, user]),
  )
  const ids = externalIds.filter((id) => !there.has(id) && isOurs(id))
  if (ids.length === 0) return there
  const { items } = await store.listUsers({ ids, limit: ids.length, cursor: null })
  for (const user of items) there.set(user.id, user)
  return there
}

/** Terce ids are UUIDs of version 7; external ids rarely are. */
function isOurs(id: string): boolean {
  return id[14] === '7' && parseUuid(id) === id
}
