// Imports people from CSV of any length, a batch at a time; each row is accepted or rejected on its own. A person who
// exists already, by external id, is not changed, so a file can be imported again.

import type { FieldProblem, Parsed } from '../../domain/errors.ts'
import { parseUuid } from '../../domain/events/uuid.ts'
import { type CsvRecord, readCsv, SEPARATORS } from '../../domain/formats/csv.ts'
import {
  asWritten,
  derivedExternalId,
  type Header,
  isBlank,
  readHeader,
  readRow,
} from '../../domain/formats/people-table.ts'
import type { User } from '../../domain/users/user.ts'
import type { NewPerson, UserStore } from '../../ports/store.ts'
import type { AppDeps } from '../app-deps.ts'
import { createPeople, preparePerson } from './create.ts'

/** A problem of a row. Contains no personal data except the timezone as written. */
export type RowProblem = { line: number } & FieldProblem

export type ImportReport = {
  /** Rows without the header and blank rows. */
  read: number
  created: number
  /** People who exist already. */
  unchanged: number
  /** How many of the existing people differ from their row. */
  differing: number
  refused: number
  /** The first hundred. */
  errors: RowProblem[]
}

export type ImportResult =
  | { kind: 'done'; report: ImportReport }
  /** The columns cannot be identified; no row was read. */
  | { kind: 'no-columns'; problems: FieldProblem[] }

export type ImportOptions = {
  /** Counts without writing. */
  dryRun: boolean
  /** Called with every problem, also beyond the first hundred. */
  onProblem?: (problem: RowProblem) => void | Promise<void>
  /** Called after each full batch. */
  onStep?: (report: ImportReport) => void
}

const BATCH = 500
const ERRORS_KEPT = 100

export async function importPeople(
  deps: AppDeps,
  pieces: AsyncIterable<string>,
  options: ImportOptions,
): Promise<ImportResult> {
  const report: ImportReport = { read: 0, created: 0, unchanged: 0, differing: 0, refused: 0, errors: [] }
  let header: Header | null = null
  let batch: NewPerson[] = []

  async function refuse(line: number, problems: readonly FieldProblem[]): Promise<void> {
    report.refused += 1
    for (const problem of problems) {
      if (report.errors.length < ERRORS_KEPT) report.errors.push({ line, ...problem })
      await options.onProblem?.({ line, ...problem })
    }
  }

  async function take(): Promise<void> {
    await takeBatch(deps, batch, { report, dryRun: options.dryRun })
    batch = []
  }

  for await (const record of readCsv(pieces, SEPARATORS)) {
    if (isBlank(record)) continue
    if (header === null) {
      const found = readHeader(record)
      if ('problems' in found) return { kind: 'no-columns', problems: found.problems }
      header = found
      continue
    }
    report.read += 1
    const person = readPerson(deps, header, record)
    if (person.ok) batch.push(person.value)
    else await refuse(record.line, person.problems)
    if (batch.length < BATCH) continue
    await take()
    options.onStep?.(report)
  }
  if (header === null) return { kind: 'no-columns', problems: NOTHING }
  await take()
  return { kind: 'done', report }
}

const NOTHING: FieldProblem[] = [
  { field: '', code: 'MISSING_COLUMN', message: 'The table is empty. The first line must name the columns.' },
]

function readPerson(deps: AppDeps, header: Header, record: CsvRecord): Parsed<NewPerson> {
  const row = readRow(header, record)
  if (!row.ok) return row
  const person = preparePerson(deps, row.value)
  if (!person.ok) return { ok: false, problems: person.problems.map((problem) => asWritten(header, problem)) }
  const { user } = person.value
  const externalId = user.externalId ?? derivedExternalId(user)
  return { ok: true, value: { ...person.value, user: { ...user, externalId } } }
}

async function takeBatch(
  deps: AppDeps,
  batch: readonly NewPerson[],
  { report, dryRun }: { report: ImportReport; dryRun: boolean },
): Promise<void> {
  const there = await findThere(
    deps.store,
    batch.map(({ user }) => user.externalId!),
  )
  const fresh: NewPerson[] = []
  for (const person of batch) {
    const { user } = person
    const known = there.get(user.externalId!)
    if (known === undefined) {
      fresh.push(person)
      there.set(user.externalId!, user)
    } else {
      report.unchanged += 1
      if (FIELDS.some((field) => known[field] !== user[field])) report.differing += 1
    }
  }
  const created = dryRun || fresh.length === 0 ? fresh.length : await create(deps, fresh)
  report.created += created
  // Another request created them in the meantime.
  report.unchanged += fresh.length - created
}

const FIELDS = ['firstName', 'lastName', 'dateOfBirth', 'timezone', 'email', 'language'] as const

async function create(deps: AppDeps, people: readonly NewPerson[]): Promise<number> {
  // In a fixed order, so that concurrent imports of the same people do not deadlock.
  const sorted = people.toSorted((a, b) => (a.user.externalId! < b.user.externalId! ? -1 : 1))
  const result = await createPeople(deps, sorted)
  return result.kind === 'created' ? result.created : 0
}

/** Finds existing people by external id. An export writes the Terce id where there is no external id, so ids are looked up too. */
async function findThere(store: UserStore, externalIds: readonly string[]): Promise<Map<string, User>> {
  const there = new Map(
    (await store.findUsersByExternalId(externalIds)).map((user) => [user.externalId!, user]),
  )
  const ours = externalIds.filter((id) => !there.has(id) && isOurs(id))
  const found = await Promise.all(ours.map((id) => store.findUser(id)))
  for (const user of found) if (user !== null) there.set(user.id, user)
  return there
}

/** Terce ids are UUIDs of version 7; external ids rarely are. */
function isOurs(id: string): boolean {
  return id[14] === '7' && parseUuid(id) === id
}
