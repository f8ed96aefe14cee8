// The store, by role. Every implementation passes test/contracts/store.contract.ts. Code names the roles that it needs; only
// the stores and the code that assembles a process name `Store`.

import type { FeedStore } from './feeds.ts'
import type { LedgerStore } from './ledger.ts'
import type { AccessStore } from './store/access.ts'
import type { AuditStore } from './store/audit.ts'
import type { DashboardStore } from './store/dashboard.ts'
import type { DestinationStore } from './store/destinations.ts'
import type { EventStore } from './store/events.ts'
import type { HistoryStore } from './store/history.ts'
import type { LimitStore } from './store/limits.ts'
import type { OccasionStore } from './store/occasions.ts'
import type { SettingsStore } from './store/settings.ts'
import type { UserStore } from './store/users.ts'
import type { WorkerStore } from './store/workers.ts'
import type { ZoneStore } from './store/zones.ts'

export type * from './feeds.ts'
export type * from './ledger.ts'
export type * from './store/access.ts'
export type * from './store/audit.ts'
export type * from './store/dashboard.ts'
export type * from './store/destinations.ts'
export type * from './store/events.ts'
export type * from './store/history.ts'
export type * from './store/limits.ts'
export type * from './store/occasions.ts'
export type * from './store/settings.ts'
export type * from './store/users.ts'
export type * from './store/workers.ts'
export type * from './store/zones.ts'

/** The roles that deliver messages. An occasion may name a channel. */
export type KernelStore = EventStore &
  UserStore &
  OccasionStore &
  HistoryStore &
  DestinationStore &
  LimitStore &
  Pick<SettingsStore, 'listChannels'>

export type ConnectedStore = {
  /** Throws if the database cannot be reached or written. */
  check(): Promise<void>

  /** Ends all connections. No method may be called afterwards. */
  close(): Promise<void>
}

/** The kernel and every feature. */
export type Store = KernelStore &
  ConnectedStore &
  SettingsStore &
  AccessStore &
  AuditStore &
  ZoneStore &
  FeedStore &
  DashboardStore &
  WorkerStore &
  LedgerStore
