// Which release the processes of a run have. In a run with rollouts the fleet starts as 0.1.0 and is rolled forward and back.
import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { unpackRelease } from '../../support/old-release.ts'
import type { WorkerPool } from './worker-pool.ts'

export type Fleet = {
  /** The bin/terce.js of the next process that starts. */
  command(): string
  /** Creates the tables, as the release that the fleet starts with does. */
  migrate(database: string): Promise<void>
  /** Switches the release and replaces the workers one after another, evenly over that time. */
  rollOut(workerPool: WorkerPool, workers: number, ms: number): Promise<void>
  /** How often the release was switched. */
  rollouts(): number
  remove(): void
}

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
      command = command === CURRENT ? old.command : CURRENT
      rollouts += 1
      for (let slot = 0; slot < workers; slot++) {
        workerPool.retire(slot)
        await sleep(ms / workers)
      }
    },
    rollouts: () => rollouts,
    remove: () => old?.remove(),
  }
}
