// The application's own table in the simulated database, and its transactions: real ones of SQLite. A transaction locks the
// database from its first statement on; the calls of others wait for its end.
import type { Executor } from '../../../src/stores/sqlite-dialect/executor.ts'
import { SECOND } from '../../support/fixtures.ts'
import type { Process } from '../actors/process.ts'
import type { ApplicationTransaction } from './handler-transaction.ts'
import type { World } from './world.ts'

export const EFFECTS = 'CREATE TABLE effects (event_id TEXT NOT NULL, written_by TEXT NOT NULL)'
export const INSERT_EFFECT = 'INSERT INTO effects VALUES (?, ?)'

/** `joined` runs statements inside a transaction that `exec` has begun. */
export type Transactions = { exec(sql: string): void; joined: Executor }

export type Lock = {
  /** True if a transaction holds the lock; `retry` is then called when it is free. */
  blocked(retry: () => void): boolean
  /** A transaction that begins with its first statement. `onCommit` is called after its COMMIT. */
  begin(process: Process, onCommit: () => Promise<void>): ApplicationTransaction
  /** Rolls back a transaction that is still open. */
  close(): void
}

/** The database ends a transaction that idles for so long, and that of a dead process within a second. */
const IDLE_MS = 10 * SECOND

class ConnectionLost extends Error {}

export function createLock({ scheduler }: World, transactions: Transactions | null): Lock {
  let holder: object | null = null
  let waiting: (() => void)[] = []

  function end(how: 'COMMIT' | 'ROLLBACK'): void {
    transactions!.exec(how)
    holder = null
    const retries = waiting
    waiting = []
    for (const retry of retries) retry()
  }

  function blocks(retry: () => void, own: object | null = null): boolean {
    if (holder === null || holder === own) return false
    waiting.push(retry)
    return true
  }

  function begin(process: Process, onCommit: () => Promise<void>): ApplicationTransaction {
    const own = {}
    let state: 'open' | 'ended' = 'open'
    let usedAt = scheduler.now()

    function watch(): void {
      const at = scheduler.now() + SECOND
      scheduler.add({ at, kind: 'script', owner: null, run: endIfIdle })
    }

    function endIfIdle(): void {
      if (holder !== own) return
      if (process.alive() && scheduler.now() - usedAt < IDLE_MS) return watch()
      rollback()
    }

    function rollback(): void {
      state = 'ended'
      if (holder === own) end('ROLLBACK')
    }

    /** The first statement locks the database. */
    function lock(): void {
      if (state === 'ended') throw new ConnectionLost('The connection is gone.')
      usedAt = scheduler.now()
      if (holder === own) return
      transactions!.exec('BEGIN IMMEDIATE')
      holder = own
      watch()
    }

    const blocked = (retry: () => void) => blocks(retry, own)
    return {
      ask: (op, work) =>
        process.ask(
          op,
          async () => {
            lock()
            return work()
          },
          { blocked },
        ),
      commit: () =>
        process.ask(
          'commit',
          async () => {
            lock()
            state = 'ended'
            end('COMMIT')
            await onCommit()
          },
          { blocked },
        ),
      rollback: () => process.ask('rollback', async () => rollback()),
      abandon: rollback,
    }
  }

  return {
    blocked: (retry) => blocks(retry),
    begin,
    close: () => {
      waiting = []
      if (holder !== null) end('ROLLBACK')
    },
  }
}
