// The people of a preview: from a CSV file, from the command line, or from the database.
import { createReadStream } from 'node:fs'
import type { PersonPlan } from '../../app/occasions/preview-people.ts'
import { anniversaryLike } from '../../app/users/create.ts'
import { asWritten, derivedExternalId, readRow, readRows } from '../../domain/formats/people-table.ts'
import type { Occasion } from '../../domain/occasions/occasion.ts'
import type { TimezoneTable } from '../../domain/time/tzdb.ts'
import { parseUserFields } from '../../domain/users/user.ts'
import { type Config, ConfigError } from '../../runtimes/config/config.ts'
import { openForCommand } from '../open-database.ts'
import { fileError } from '../output/file-error.ts'

/** The plan of an occasion, the problems of a row that is rejected, or a row that repeats the person of an earlier one. */
export type ListedPerson = PersonPlan | { problems: string[] } | { repeats: 'equal' | 'different' }

/** `birthday` is the occasion of each person. */
type ToParse = { birthday: Occasion; now: number; table: TimezoneTable }

/** Reads a table as the import does. Reads standard input if the path is `-`. */
export async function* fromFile(path: string, { birthday, ...at }: ToParse): AsyncGenerator<ListedPerson> {
  const isStdin = path === '-'
  const name = isStdin ? 'standard input' : path
  const pieces: AsyncIterable<string> = isStdin
    ? process.stdin.setEncoding('utf8')
    : createReadStream(path, 'utf8')
  // By external id, as the import recognizes people.
  const known = new Map<string, string>()
  try {
    for await (const row of readRows(pieces)) {
      if ('problems' in row) throw new ConfigError(row.problems.map(({ message }) => `${name}: ${message}`))
      const { header, record } = row
      const who = `line ${record.line}`
      const input = readRow(header, record)
      const user = input.ok ? parseUserFields(input.value, at) : input
      if (user.ok) {
        const values = derivedExternalId(user.value)
        const id = user.value.externalId ?? values
        const earlier = known.get(id)
        const hiredOn = input.ok ? input.value.hiredOn : null
        if (earlier === undefined) {
          yield planOf(who, user.value, birthday)
          if (hiredOn) yield planOf(who, user.value, anniversaryLike(birthday, hiredOn))
        } else yield { repeats: earlier === values ? 'equal' : 'different' }
        known.set(id, earlier ?? values)
      } else {
        const problems = user.problems.map((problem) => asWritten(header, problem))
        yield {
          problems: problems.map(({ field, message }) =>
            [`${name}: ${who}`, ...(field === '' ? [] : [field])].join(', ').concat(`: ${message}`),
          ),
        }
      }
    }
  } catch (error) {
    throw fileError('read', name, error)
  }
}

/** Each text is `YYYY-MM-DD Zone/Name`. The people are called Person 1, Person 2, … */
export function* fromTexts(texts: readonly string[], { birthday, ...at }: ToParse): Generator<ListedPerson> {
  for (const [index, text] of texts.entries()) {
    const who = `person ${index + 1}`
    const [dateOfBirth = '', timezone, ...rest] = text.trim().split(/\s+/)
    if (timezone === undefined || rest.length > 0) {
      const remedy = 'Give date and timezone, such as "1992-02-29 America/Vancouver".'
      throw new ConfigError([`${who}: "${text}" is not usable. ${remedy}`])
    }
    const names = { firstName: 'Person', lastName: `${index + 1}` }
    const user = parseUserFields({ ...names, dateOfBirth, timezone }, at)
    if (!user.ok) throw new ConfigError(user.problems.map(({ message }) => `${who}: ${message}`))
    yield planOf(who, user.value, birthday)
  }
}

function planOf(who: string, user: PersonPlan['user'], occasion: Occasion): PersonPlan {
  return { who, user, occasion, task: null, open: null, lastSettled: null }
}

const PAGE = 500

/** Every occasion of everyone, with the reminders of their tasks. */
export async function* fromDatabase(config: Config): AsyncGenerator<ListedPerson> {
  const instead = 'give --csv people.csv or --person "1992-02-29 Asia/Jakarta"'
  const { store, close } = await openForCommand(config.database, { instead })
  try {
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof store.listPeople>> = await store.listPeople({
        limit: PAGE,
        cursor,
      })
      for (const { user, plans } of page.items)
        for (const plan of plans) yield { who: user.id, user, ...plan }
      cursor = page.nextCursor
    } while (cursor !== null)
  } finally {
    await close()
  }
}
