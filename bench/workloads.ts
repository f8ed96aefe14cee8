// The workloads: descriptions, sizes and engines.
import { ENGINES, type EngineEntry } from './engines/list.ts'

export const WORKLOADS = ['people', 'W1', 'W1M', 'W3', 'W4', 'W5', 'W6', 'W7', 'memory', 'import'] as const
export type Workload = (typeof WORKLOADS)[number]

/** The workloads of the built product in processes of its own. The peers have no such product. */
export const PRODUCT_WORKLOADS: readonly Workload[] = ['W6', 'W7', 'memory', 'import']
/** The engines of these workloads. */
export const HOMES = ['terce-postgres', 'terce-sqlite'] as const
export type HomeName = (typeof HOMES)[number]

export type Sizes = {
  rounds: number
  /** Events that are due at one instant, in W1 and W1M. */
  due: number
  /** Pending events in W5, by size. W1M uses the last size. */
  pending: readonly number[]
  bulk: number
  lateness: { count: number; windowMs: number }
  claims: number
  /** People with an event at one instant, in W6. */
  spike: number
  fairness: FairnessSizes
  memory: MemorySizes
  /** People in the imported file. */
  imported: number
}

/** In W7. */
export type FairnessSizes = {
  /** Events of a channel with a limit that are due at one instant. */
  limited: number
  /** Events of another channel that are due at the same instant. */
  other: number
  /** One more event of the other channel is due each `everyMs`, for `windowMs`. */
  everyMs: number
  windowMs: number
}

export type MemorySizes = {
  /** The time from the start to the idle figure. */
  idleMs: number
  loadMs: number
  duePerSecond: number
  createdPerSecond: number
}

export const FULL: Sizes = {
  rounds: 3,
  due: 50_000,
  pending: [10_000, 100_000, 1_000_000],
  bulk: 100_000,
  lateness: { count: 200, windowMs: 30_000 },
  claims: 15,
  spike: 30_000,
  fairness: { limited: 100_000, other: 200, everyMs: 100, windowMs: 10_000 },
  memory: { idleMs: 60_000, loadMs: 180_000, duePerSecond: 300, createdPerSecond: 100 },
  imported: 1_000_000,
}

export const QUICK: Sizes = {
  rounds: 1,
  due: 20_000,
  pending: [10_000, 100_000, 200_000],
  bulk: 30_000,
  lateness: { count: 100, windowMs: 10_000 },
  claims: 15,
  spike: 10_000,
  fairness: { limited: 20_000, other: 200, everyMs: 100, windowMs: 10_000 },
  memory: { idleMs: 15_000, loadMs: 30_000, duePerSecond: 300, createdPerSecond: 100 },
  imported: 100_000,
}

/** W6 by itself: short enough to repeat after each change. */
export const LOOP = { rounds: 1, spike: 20_000 }

/** For testing the benchmark itself: its figures are meaningless. */
export const TINY: Sizes = {
  rounds: 1,
  due: 2_000,
  pending: [1_000, 5_000],
  bulk: 2_000,
  lateness: { count: 20, windowMs: 2_000 },
  claims: 3,
  spike: 1_000,
  fairness: { limited: 1_000, other: 200, everyMs: 100, windowMs: 1_000 },
  memory: { idleMs: 1_000, loadMs: 3_000, duePerSecond: 50, createdPerSecond: 20 },
  imported: 2_000,
}

/** The available engines of W1 to W5. */
export function enginesFor(available: readonly string[]): string[] {
  return ENGINES.filter(({ kind, name }) => kind !== 'product' && available.includes(name)).map(
    ({ name }) => name,
  )
}

/** The workloads in which a peer does the work of Terce. In W1 to W5 it is the queue alone. */
export function hasSameWork(workload: Workload): boolean {
  return workload === 'people' || workload === 'W6'
}

/** The available peers that do the work of Terce. */
export function peersWithSameWork(available: readonly string[]): string[] {
  return (ENGINES as readonly EngineEntry[])
    .filter(({ name, sameWork }) => sameWork !== undefined && available.includes(name))
    .map(({ name }) => name)
}

/** The available homes of the built product. */
export function homesFor(available: readonly string[]): HomeName[] {
  return HOMES.filter((name) => available.includes(name))
}

export function describe(workload: Workload, sizes: Sizes): string {
  const due = sizes.due.toLocaleString('en')
  switch (workload) {
    case 'people':
      return `${sizes.bulk.toLocaleString('en')} people stored, each with the first message in the same transaction`
    case 'W1':
      return `${due} events due at one instant, a no-op channel, each next occurrence scheduled durably`
    case 'W1M':
      return `W1 with ${sizes.pending.at(-1)!.toLocaleString('en')} future events also pending`
    case 'W3':
      return `${sizes.bulk.toLocaleString('en')} future events scheduled in bulk (Terce: people stored, with their birthdays)`
    case 'W4':
      return `${sizes.lateness.count} events at random instants over ${sizes.lateness.windowMs / 1000} s: lateness of each; all engines at once`
    case 'W5':
      return 'one claim of up to 100 events with 50 due, by pending rows'
    case 'W6':
      return `${sizes.spike.toLocaleString('en')} people due at one instant, end to end: signed webhooks to a sink, outcomes recorded, next year planned; Terce in its built processes, a peer with the code that does the same work`
    case 'W7': {
      const { limited, other, everyMs, windowMs } = sizes.fairness
      return `${limited.toLocaleString('en')} events of a channel with 50 a second are due at one instant: lateness of ${other} events of another channel at that instant, and of one each ${everyMs} ms for ${windowMs / 1_000} s; CPU of worker + PostgreSQL`
    }
    case 'memory': {
      const { idleMs, loadMs, duePerSecond, createdPerSecond } = sizes.memory
      return `resident memory of terce all on SQLite: idle ${idleMs / 1_000} s after the start, and after ${loadMs / 1_000} s in which each second ${duePerSecond} events were due and ${createdPerSecond} people were created`
    }
    case 'import':
      return `terce import of a CSV file with ${sizes.imported.toLocaleString('en')} people into an empty database`
  }
}
