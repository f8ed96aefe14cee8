// What the workers have leased of the limits of destinations. Written a few times a second while messages wait for a limit.
import type { LimitLeases } from '../../domain/settings/limit-leases.ts'

export type LimitStore = {
  /**
   * `databaseMs` is the time by the database's clock; null where the clocks of the processes are one, because they run on one
   * machine or on one platform.
   */
  readLeases(channelId: string): Promise<{ leases: LimitLeases; seen: string; databaseMs: number | null }>

  /** False if another process has written since `seen` was read. */
  writeLeases(write: { channelId: string; seen: string; leases: LimitLeases }): Promise<boolean>
}
