// The workloads: what each measures, at which size, on which engines.
import { ENGINES } from './engines/list.ts'

export const WORKLOADS = ['W1', 'W1M', 'W2', 'W3', 'W4', 'W5'] as const
export type Workload = (typeof WORKLOADS)[number]

export type Sizes = {
  rounds: number
  /** Due at one instant, in W1, W1M and W2. */
  due: number
  /** Pending beside them in W1M; the last of the sizes of W5. */
  pending: readonly number[]
  /** With --big, and for Terce alone: filling peers with ten million takes longer than all else. */
  bigPending: number | null
  bulk: number
  lateness: { count: number; windowMs: number }
  claims: number
}

export const FULL: Sizes = {
  rounds: 3,
  due: 50_000,
  pending: [10_000, 100_000, 1_000_000],
  bigPending: null,
  bulk: 100_000,
  lateness: { count: 200, windowMs: 30_000 },
  claims: 15,
}

export const QUICK: Sizes = {
  rounds: 1,
  due: 20_000,
  pending: [10_000, 100_000, 200_000],
  bigPending: null,
  bulk: 30_000,
  lateness: { count: 100, windowMs: 10_000 },
  claims: 15,
}

/** For trying the benchmark itself: its figures mean nothing. */
export const TINY: Sizes = {
  rounds: 1,
  due: 2_000,
  pending: [1_000, 5_000],
  bigPending: null,
  bulk: 2_000,
  lateness: { count: 20, windowMs: 2_000 },
  claims: 3,
}

/** The first limit named is the one that ratios refer to. */
export const LIMIT_OF: Readonly<Record<Workload, readonly string[]>> = {
  W1: ['bare-sql'],
  W1M: ['bare-sql'],
  W2: ['bare-http', 'bare-sql'],
  W3: [],
  W4: [],
  W5: [],
}

/** Those of the engines at hand that the workload is for. */
export function enginesFor(workload: Workload, atHand: readonly string[]): string[] {
  return ENGINES.filter(({ name, kind }) => kind !== 'limit' || LIMIT_OF[workload].includes(name))
    .map(({ name }) => name as string)
    .filter((name) => atHand.includes(name))
}

export function describe(workload: Workload, sizes: Sizes): string {
  const due = sizes.due.toLocaleString('en')
  switch (workload) {
    case 'W1':
      return `${due} events due at one instant, a handler that does nothing, each next occurrence scheduled durably`
    case 'W1M':
      return `the same with ${sizes.pending.at(-1)!.toLocaleString('en')} future events also pending`
    case 'W2':
      return `${due} due at one instant, each sent by HTTP POST to a sink in another process`
    case 'W3':
      return `${sizes.bulk.toLocaleString('en')} future events scheduled in bulk (Terce: people created, with their birthdays)`
    case 'W4':
      return `${sizes.lateness.count} events at random instants over ${sizes.lateness.windowMs / 1000} s: how late each is handled; engines side by side`
    case 'W5':
      return 'one claim of up to 100 with 50 due, by rows pending'
  }
}
