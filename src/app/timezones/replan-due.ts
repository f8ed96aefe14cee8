// Which timezones a replan has to check, and how far the check of each has come. A check that is made in parts stores its
// cursor in the timezone record: the release of the table that plans, and the last person who was checked.
import { DAY_MS } from '../../domain/time/calendar.ts'
import type { ZoneState } from '../../domain/time/tz-difference.ts'
import type { TimezoneTable } from '../../domain/time/tzdb.ts'
import type { Clock } from '../../ports/clock.ts'
import type { UserStore, ZoneRecord, ZoneStore } from '../../ports/store.ts'
import { addUnknown, hasChanged, readZones } from './zones.ts'

/**
 * `recent`: everyone in a zone whose rules changed within 30 days. `all`: whenever they changed. `rest`: what earlier parts
 * left, and each zone once more an hour after its change.
 */
export type ReplanCheck = 'recent' | 'all' | 'rest'

export type DueZone = {
  state: ZoneState<ZoneRecord>
  /** The last person who was checked. */
  after: string | null
  /** True if the cursor of the check is stored after each page. */
  hasCursor: boolean
  /** When the check of all people begins. Until then, and during the check, each part checks the soonest events. */
  from: number
}

type DueDeps = { store: UserStore & ZoneStore; planner: { table: TimezoneTable }; clock: Clock }

/** Longer than any rollout: after it, no process of an earlier release plans events. */
const RECENT_MS = 30 * DAY_MS

/** By then no function of the previous release is left. */
const CHECK_AGAIN_AFTER_MS = 3_600_000

export async function readDue(
  { store, planner: { table }, clock }: DueDeps,
  { check, dryRun = false }: { check: ReplanCheck; dryRun?: boolean },
): Promise<{ states: ZoneState<ZoneRecord>[]; due: DueZone[] }> {
  const now = clock.now()
  let { states, releases } = await readZones(store, table, now)
  const unknown = states.filter(({ kind }) => kind === 'unknown')
  const areUnknownDue =
    unknown.length > 0 && (releases.length > 0 || (await isPlannedByAnother(store, table)))
  if (areUnknownDue && !dryRun) {
    // The cursor needs a record.
    await addUnknown(store, table, unknown, { replanCursor: cursorOf(null, table) })
    ;({ states } = await readZones(store, table, now))
  }
  const isRest = check === 'rest'
  const since = check === 'all' ? Number.NEGATIVE_INFINITY : now - RECENT_MS
  const due = states.flatMap((state): DueZone[] => {
    if (state.kind === 'unknown')
      return areUnknownDue ? [{ state, after: null, hasCursor: false, from: now }] : []
    if (state.kind !== 'changed' && state.kind !== 'current') return []
    const progress = progressOf(state.known, table)
    const isBegun = progress.kind === 'begun'
    if (isBegun || state.kind === 'changed') {
      // A process of an earlier release may have planned events of people before the cursor: only `rest` looks again later.
      const after = isRest && isBegun ? progress.after : null
      return [{ state, after, hasCursor: isRest || isBegun, from: now }]
    }
    if (!hasChanged(state, { since, now }) || (isRest && progress.kind === 'done')) return []
    const from = isRest ? state.known.changedAt! + CHECK_AGAIN_AFTER_MS : now
    return [{ state, after: null, hasCursor: isRest, from }]
  })
  return { states, due }
}

/** All people of a small database; the oldest of a large one, whose events were planned throughout the last year. */
const SAMPLE = 5_000

/** True if events were planned by another release, in a database that has no record of timezones yet. */
async function isPlannedByAnother(store: UserStore, { version }: TimezoneTable): Promise<boolean> {
  const { items } = await store.listPeople({ limit: SAMPLE, cursor: null })
  return items.some(({ plans }) => plans.some(({ open }) => open !== null && open.tzVersion !== version))
}

/** Begins another check of everyone in the zones whose rules ever changed. Does nothing while a zone needs a part. */
export async function beginReplan(deps: DueDeps): Promise<void> {
  const { store, planner, clock } = deps
  const { due, states } = await readDue(deps, { check: 'rest' })
  if (due.length > 0) return
  const ever = { since: Number.NEGATIVE_INFINITY, now: clock.now() }
  for (const state of states)
    if (hasChanged(state, ever)) await saveCursor(store, state, cursorOf(null, planner.table))
}

/** True if a zone needs a part, or needs one later. */
export async function isReplanDue(deps: DueDeps): Promise<boolean> {
  return (await readDue(deps, { check: 'rest' })).due.length > 0
}

type Progress =
  | { kind: 'none' }
  /** The people up to and including this id were checked; null: none yet. */
  | { kind: 'begun'; after: string | null }
  /** Everyone was checked since the rules last changed. */
  | { kind: 'done' }

export const DONE = 'done'

/** A cursor of another release counts as none: its people have to be checked again. */
function progressOf({ replanCursor }: ZoneRecord, { version }: TimezoneTable): Progress {
  const [of, after] = replanCursor?.split(' ') ?? []
  if (of !== version) return { kind: 'none' }
  return after === DONE ? { kind: 'done' } : { kind: 'begun', after: after === '' ? null : after! }
}

export function cursorOf(after: string | null, { version }: TimezoneTable): string {
  return `${version} ${after ?? ''}`
}

export async function saveCursor(
  store: ZoneStore,
  state: ZoneState<ZoneRecord>,
  replanCursor: string,
): Promise<void> {
  if (state.kind === 'unknown') return
  const { name, version } = state.known
  await store.saveReplanCursor({ name, version, replanCursor })
}
