// The dependencies of the app functions. Each runtime builds them once.
import type { Planner } from '../engine/plan.ts'
import type { Clock } from '../ports/clock.ts'
import type { KernelStore } from '../ports/store.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import type { ReplanOnRequest } from './timezones/replan.ts'

/** A use case of a feature names the roles of the store that it needs besides the kernel's. */
export type AppDeps<S = KernelStore> = {
  store: S
  planner: Planner
  clock: Clock
  telemetry: Telemetry
  /** The local delivery time of new occasions, such as `09:00`. */
  deliverAt: string
  /** The local time after which a new occasion is not tried again that day; null for no end. */
  notAfter?: string | null
  /** Quiet hours of tasks that set none; null for none. */
  quietHours?: string | null
  /** True where functions are started on demand: no worker process to count, and limits to what one call reads or returns. */
  onDemand?: true
  /** True in an application whose handlers precede the default channel. */
  hasHandlers?: boolean | undefined
  /** Called with the earliest due instant of newly planned events, so that the engine can wake in time. */
  onPlanned: (earliestAt: number) => void
  /** Replaces the replan of all people in one request, where a request cannot move them all. */
  replanOnRequest?: ReplanOnRequest
  /** A store for one request over many people, where a request may make only so many queries, and whether it may begin another page. */
  openLimited?: () => { store: KernelStore; mayContinue(): boolean }
  /** Called with the id of a user after the user was deleted from the store. */
  onErased?: (userId: string) => void
}
