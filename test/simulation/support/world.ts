// What all parts of one simulated history share.

import type { ChannelRecord } from '../../../src/domain/settings/channel.ts'
import type { Planner } from '../../../src/engine/plan.ts'
import type { QueueConsumer } from '../../../src/engine/queue/consumer.ts'
import type { EngineDeps } from '../../../src/engine/settlement.ts'
import type { Channel } from '../../../src/ports/channel.ts'
import type { Queue } from '../../../src/ports/queue.ts'
import type { Store } from '../../../src/ports/store.ts'
import type { Executor } from '../../../src/stores/sqlite-dialect/executor.ts'
import type { Receiver } from '../actors/receiver.ts'
import type { Entry } from '../record/trace.ts'
import type { Scenario } from '../scenario.ts'
import type { Traps } from './call-faults.ts'
import type { Dice } from './dice.ts'
import type { Scheduler } from './scheduler.ts'
import type { Tables } from './timezone-tables.ts'

export type World = {
  scenario: Scenario
  scheduler: Scheduler
  dice: Dice
  traps: Traps
  receiver: Receiver
  tables: Tables
  bug: Bug | null
  /** No worker starts before. */
  downUntil: number
  note(entry: Without<Entry>): void
  /** Tells workers that something may be due then. */
  announce(at: number): void
  /** Told of every entry. */
  onNote: ((entry: Entry) => void)[]
}

/** An entry whose instant is now. */
type Without<T> = T extends unknown ? Omit<T, 'at'> : never

/** A mistake built in on purpose, around the parts of the product. */
export type Bug = {
  name: string
  words: string
  /** The invariants that may be the first to see it. */
  breaks: readonly string[]
  /** The database believes the clock of whoever claims. */
  trustsCallers?: boolean
  store?(store: Store, parts: BugParts): Store
  /** A worker's connection to a channel. */
  channel?(channel: Channel, record: ChannelRecord): Channel
  engine?(deps: EngineDeps & { store: Store }): Partial<EngineDeps & { store: Store }>
  /** How a scheduler reaches the queue. */
  queue?(queue: Queue): Queue
  consumer?(worker: QueueConsumer, deps: EngineDeps & { store: Store }): QueueConsumer
  /** How long a scheduler claims for. */
  queueLeaseMs?: number
}

export type BugParts = { executor: Executor; planner: Planner; world: World; who: string }
