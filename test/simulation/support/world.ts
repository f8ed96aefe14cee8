// The state that all parts of one simulated run share.

import type { TimezoneTable } from '../../../src/domain/time/tzdb.ts'
import type { EngineDeps } from '../../../src/engine/engine-deps.ts'
import type { QueueConsumer } from '../../../src/engine/queue/consumer.ts'
import type { Channel } from '../../../src/ports/channel.ts'
import type { Queue } from '../../../src/ports/queue.ts'
import type { Store } from '../../../src/ports/store.ts'
import type { Executor } from '../../../src/stores/sqlite-dialect/executor.ts'
import type { Receiver } from '../actors/receiver.ts'
import type { Entry } from '../record/trace.ts'
import type { Scenario } from '../scenario.ts'
import type { CallFaults, HandlerFaults } from './call-faults.ts'
import type { Dice } from './dice.ts'
import type { Scheduler } from './scheduler.ts'
import type { Tables } from './timezone-tables.ts'

export type World = {
  scenario: Scenario
  scheduler: Scheduler
  dice: Dice
  callFaults: CallFaults
  handlerFaults: HandlerFaults
  receiver: Receiver
  tables: Tables
  mistake: Mistake | null
  /** No worker starts before. */
  downUntil: number
  note(entry: Without<Entry>): void
  /** Wakes workers: something may be due then. */
  announce(at: number): void
  /** Called with every entry. */
  onNote: ((entry: Entry) => void)[]
}

/** An entry whose instant is now. */
type Without<T> = T extends unknown ? Omit<T, 'at'> : never

/** A planted mistake: it wraps parts of the product. */
export type Mistake = {
  name: string
  description: string
  /** The invariants for which it is planted: each finds it without the others. */
  breaks: readonly string[]
  /** The database trusts the clock of the claiming worker. */
  trustsCallers?: boolean
  store?(store: Store, parts: MistakeParts): Store
  /** The timezone table of every process. */
  table?(table: TimezoneTable): TimezoneTable
  /** A worker's connection to a channel. */
  channel?(channel: Channel): Channel
  engine?(deps: EngineDeps & { store: Store }): Partial<EngineDeps & { store: Store }>
  /** The scheduler's connection to the queue. */
  queue?(queue: Queue): Queue
  consumer?(worker: QueueConsumer): QueueConsumer
  /** A handler's event is settled outside of the handler's transaction. */
  settlesApart?: boolean
  /** How long a worker believes that its leases last. */
  believedLeaseMs?: number
}

export type MistakeParts = { executor: Executor; world: World }
