// Which release the processes of a run have. In a run with rollouts the fleet starts as 0.1.0 and is rolled forward and back.
import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { RELEASE } from '../../../src/stores/migrations/release.ts'
import { FIRST_RELEASE, unpackRelease } from '../../support/old-release.ts'
import { until } from '../../support/until.ts'
import type { WorkerPool } from './worker-pool.ts'

export type Fleet = {
  /** The bin/terce.js of the next process that starts. */
  command(): string
  /** Creates the tables, as the release that the fleet starts with does. */
  migrate(database: string): Promise<void>
  /**
   * Switches the release and replaces the workers one after another, evenly over that time, or as fast as they start on this
   * machine: the next worker is stopped when the last one was replaced.
   */
  rollOut(workerPool: WorkerPool, workers: number, ms: number): Promise<void>
  /** How often the release was switched. */
  rollouts(): number
  remove(): void
}

/** Faults kill workers that start, and stop the database that they need. */
const START_WITHIN_MS = 90_000

const CURRENT = fileURLToPath(new URL('../../../bin/terce.js', import.meta.url))

export function createFleet({ mixed }: { mixed: boolean }): Fleet {
  const old = mixed ? unpackRelease() : null
  let command = old?.command ?? CURRENT
  let rollouts = 0
  return {
    command: () => command,
    async migrate(database) {
      const { PATH } = process.env
      await promisify(execFile)(process.execPath, [command, 'migrate'], {
        env: { PATH, DATABASE_URL: database },
      })
    },
    async rollOut(workerPool, workers, ms) {
      if (old === null) throw new Error('Only a mixed fleet has another release.')
      const release = command === CURRENT ? FIRST_RELEASE : RELEASE
      command = release === RELEASE ? CURRENT : old.command
      rollouts += 1
      for (let slot = 0; slot < workers; slot++) {
        const starts = () => workerPool.starts(slot, release)
        const before = starts()
        workerPool.retire(slot)
        const replaced = until(`worker ${slot + 1} is ${release}`, starts, (n) => n > before, START_WITHIN_MS)
        await Promise.all([replaced, sleep(ms / workers)])
      }
    },
    rollouts: () => rollouts,
    remove: () => old?.remove(),
  }
}
