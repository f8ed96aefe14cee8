// `terce ledger`: the days of the ledger, or one of them with its lines.
import { type Client, TerceError } from '../../client/client.ts'
import { ON_TIME_MS } from '../../domain/ledger/line.ts'
import { ConfigError } from '../../runtimes/config/config.ts'
import { paintFor } from '../output/colour.ts'
import { brief } from '../output/schedule-lines.ts'
import { countPeople, grouped } from '../output/words.ts'
import type { RemoteOptions } from '../remote.ts'
import {
  accountLines,
  closedLines,
  daysTable,
  faultOf,
  isSound,
  type LedgerDayJson,
  type LedgerLineJson,
  totalLines,
} from './text.ts'

export type ShowOptions = RemoteOptions & {
  today?: true
  day?: string
  from?: string
  to?: string
  all?: true
  now?: true
  hash?: true
  json?: true
}

const DAYS = 14
const MOST_DAYS = 366

export function checkOptions(options: ShowOptions): void {
  const { today, day, from, to, all, now, hash } = options
  if (today && [day, from, to, all, now, hash].some((option) => option !== undefined))
    throw new ConfigError(['Give --today without another day or range.'])
  const needsDay = all ? '--all' : now ? '--now' : hash ? '--hash' : null
  if (day === undefined && needsDay !== null)
    throw new ConfigError([`${needsDay} needs a day: terce ledger --day 2026-11-16.`])
  if (now && hash) throw new ConfigError(['Give either --now or --hash.'])
  if (day !== undefined && (from !== undefined || to !== undefined))
    throw new ConfigError(['Give either --day, or --from and --to.'])
  if (from !== undefined && to !== undefined && from > to)
    throw new ConfigError([`--from ${from} is after --to ${to}.`])
}

/** Throws if a day has unexplained or surplus lines. */
export async function showDays(client: Client, { from, to, json }: ShowOptions): Promise<void> {
  const isRange = from !== undefined || to !== undefined
  // One more: the newest day may be one whose account is being computed.
  const query = { limit: isRange ? MOST_DAYS : DAYS + 1, ...(from && { from }), ...(to && { to }) }
  const { items: days } = await client.get('/ledger', { query })
  const closed = days.filter(({ state }) => state === 'closed').slice(0, isRange ? MOST_DAYS : DAYS)
  if (json) for (const day of closed) console.log(JSON.stringify(day))
  else if (closed.length > 0) console.log(daysTable(closed, paintFor(process.stdout)).join('\n'))
  const faults = closed.filter((day) => !isSound(day))
  if (faults.length > 0) throw new Error(faults.map(faultOf).join('\n'))
  if (!json) console.log(soundText(closed.length, isRange))
}

function soundText(count: number, isRange: boolean): string {
  if (count === 0) return isRange ? 'No day of this period is closed.' : 'No day is closed yet.'
  return count === 1 ? 'The day is sound.' : `All ${grouped(count)} days are sound.`
}

/** Throws if the day has unexplained or surplus lines. */
export async function showDay(client: Client, day: string, { all, json }: ShowOptions): Promise<void> {
  const totals = await readTotals(client, day)
  const note = 'Being closed: the counts are those of the people so far.'
  await printAccount({ day: totals, note, lines: linesOf(client, day, all === true) }, json === true)
}

/** Throws if it has unexplained or surplus lines. */
export async function showToday(client: Client, { json }: ShowOptions): Promise<void> {
  const { at, complete, day, lines } = await client.get('/ledger/today')
  const part = complete
    ? ''
    : ` Only the first ${countPeople(day.people)} were accounted for: it ended at its limit.`
  const note = `Computed ${brief(at)}, up to then, and not stored.${part}`
  await printAccount({ day, note, lines, more: { at, complete } }, json === true)
}

export async function readTotals(client: Client, day: string): Promise<LedgerDayJson> {
  try {
    return (await client.get('/ledger/{day}', { path: { day }, query: { limit: 1 } })).day
  } catch (error) {
    if (!(error instanceof TerceError) || error.code !== 'DAY_NOT_CLOSED') throw error
    throw new Error(`${error.detail} With --now its account is computed from the database.`)
  }
}

/** Plain deliveries come last. */
async function* linesOf(client: Client, day: string, all: boolean): AsyncGenerator<LedgerLineJson> {
  for await (const line of client.each('/ledger/{day}', { path: { day }, query: { limit: PAGE } })) {
    if (!all && isPlain(line)) return
    yield line
  }
}

const PAGE = 200

/** A delivery on time, with nothing to explain. */
export function isPlain({ column, reason, lateSeconds }: LedgerLineJson): boolean {
  return column === 'delivered' && reason === null && (lateSeconds ?? 0) * 1000 <= ON_TIME_MS
}

/** `note`: what to print of a day that is not closed. `more`: further fields of the JSON. */
type Account = {
  day: LedgerDayJson
  note: string
  more?: object
  lines: AsyncIterable<LedgerLineJson> | Iterable<LedgerLineJson>
}

export async function printAccount({ day, note, more, lines }: Account, json: boolean): Promise<void> {
  const all: LedgerLineJson[] = []
  if (!json) console.log([...totalLines(day), ...(closedLines(day) ?? [note])].join('\n'))
  for await (const line of lines) {
    if (json) all.push(line)
    else console.log(`\n${accountLines(line).join('\n')}`)
  }
  if (json) console.log(JSON.stringify({ ...more, day, lines: all }))
  if (!isSound(day)) throw new Error(faultOf(day))
}
