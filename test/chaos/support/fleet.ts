// Which release the processes of a run have. In a run with rollouts the fleet is rolled to the next release and back.
import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { RELEASE } from '../../../src/stores/migrations/release.ts'
import { makeNextRelease, NEXT_RELEASE } from '../../support/next-release.ts'
import { until } from '../../support/until.ts'
import type { WorkerPool } from './worker-pool.ts'

export type Fleet = {
  /** The bin/terce.js of the next process that starts. */
  command(): string
  /** Creates the tables. */
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
  const next = mixed ? makeNextRelease() : null
  let command = CURRENT
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
      if (next === null) throw new Error('Only a mixed fleet has another release.')
      const release = command === CURRENT ? NEXT_RELEASE : RELEASE
      command = command === CURRENT ? next.command : CURRENT
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
    remove: () => next?.remove(),
  }
}
