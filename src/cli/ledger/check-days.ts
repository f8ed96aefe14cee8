// Checks the ledger: whether days are being closed, whether they are as they were closed, and what they report.

import { nextToClose } from '../../app/ledger/close-days.ts'
import { recomputeHash } from '../../app/ledger/day-hash.ts'
import { closedDays } from '../../app/ledger/stored-day.ts'
import type { Client } from '../../client/client.ts'
import { dayName, endOfDay, isOverdue } from '../../domain/ledger/day.ts'
import { DAY_MS } from '../../domain/time/calendar.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'
import type { Database } from '../../runtimes/node/database.ts'
import { type Check, fail, ok, warn } from '../doctor/check.ts'
import { grouped } from '../output/words.ts'
import { faultOf, isSound, type LedgerDayJson } from './text.ts'

/** The days whose hashes and counts are checked. A fault stays visible for that long. */
const CHECKED = 14
const COUNTED = 366

/** `database` is null for a server: the hashes are not checked then. */
export async function checkLedger(
  client: Client,
  database: Pick<Database, 'store'> | null,
  now: number,
): Promise<Check[]> {
  const { items: days } = await client.get('/ledger', { query: { limit: COUNTED } })
  const closed = days.filter(({ state }) => state === 'closed')
  const [newest] = closed
  const late = lateDay(days, now)
  if (newest === undefined && late === null) return [ok('ledger', 'No day is closed yet.')]
  const altered = database === null ? [] : await alteredDays(database)
  const faults = closed.slice(0, CHECKED).filter((day) => !isSound(day))
  const bad = [
    ...altered.map((day) => fail('ledger', `The account of ${day} does not have its hash.`, ALTERED)),
    ...faults
      .slice(0, 1)
      .map((day) => fail('ledger', faultText(day, faults.length), `Run terce ledger --day ${day.day}.`)),
    ...(late === null ? [] : [warn('ledger', lateText(late, now), LATE)]),
  ]
  if (bad.length > 0) return bad
  const count = `${grouped(closed.length)}${closed.length === COUNTED ? ' or more' : ''}`
  const which = closed.length > CHECKED ? ` in the last ${CHECKED}` : ''
  const what = [
    `${count} ${closed.length === 1 ? 'day' : 'days'} closed, the last ${newest!.day}`,
    ...(database === null ? [] : [`the hashes are right${which}`]),
    `nothing unexplained${which}`,
  ]
  return [ok('ledger', `${what.join('; ')}.`)]
}

const ALTERED =
  'A row of this day, or the day before it, was altered. Find out who could write to the database.'
const LATE =
  'Start terce or terce worker. If one runs, look for "Closing a day of the ledger failed" in its log.'

/** A day whose lines were pruned has nothing to compare. */
async function alteredDays({ store }: Pick<Database, 'store'>): Promise<string[]> {
  const altered: string[] = []
  for (const day of (await closedDays(store)).slice(0, CHECKED))
    if (![null, day.hash].includes(await recomputeHash(store, day))) altered.push(day.day)
  return altered
}

/** A plan that is missing is reported by each day until it is repaired, so only the newest day is named. */
function faultText(newest: LedgerDayJson, count: number): string {
  if (count === 1) return faultOf(newest)
  return `${count} of the last ${CHECKED} days have unexplained or surplus messages. ${faultOf(newest)}`
}

/** The oldest day that is not closed, if it ended more than 12 hours ago. */
function lateDay(days: readonly LedgerDayJson[], now: number): string | null {
  // A row of a later day was written by hand, or by a clock that was ahead.
  const newest = days.find(({ day }) => day <= dayName(now))
  if (newest === undefined) return null
  const day = nextToClose({ day: newest.day, closedAt: newest.state === 'closed' ? now : null })
  return isOverdue(day, now) ? day : null
}

function lateText(day: string, now: number): string {
  const ended = formatInstant(endOfDay(day)).slice(0, 16)
  const later = Math.floor((now - endOfDay(day)) / DAY_MS)
  const more = later === 0 ? '' : `, nor ${later === 1 ? 'is the day' : `are the ${later} days`} after it`
  return `${day} is not closed${more}. It had ended in every timezone at ${ended}Z.`
}
