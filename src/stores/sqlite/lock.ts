// The write lock of the file, which several processes on one machine share: one bulk operation must not keep the others waiting.
import type { DatabaseSync } from 'node:sqlite'

export const BUSY_TIMEOUT_MS = 10_000

/**
 * Tries each millisecond. SQLite itself waits up to 100 ms between two tries: beside a process that writes without a pause,
 * such as an import, it found the lock free only after seconds.
 */
export function beginImmediate(db: DatabaseSync): void {
  db.exec('PRAGMA busy_timeout = 0')
  try {
    for (let tries = 1; ; tries++) {
      try {
        return db.exec('BEGIN IMMEDIATE')
      } catch (error) {
        if (!isBusy(error) || tries === BUSY_TIMEOUT_MS) throw error
        sleepMs(1)
      }
    }
  } finally {
    db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  }
}

/** A batch that changed more rows is followed by a pause, in which another process finds the lock free. */
const MANY_ROWS = 200
const PAUSE_MS = 2

/** Called after each batch by the thread that writes. */
export function leaveLockFree(changedRows: number): void {
  if (changedRows > MANY_ROWS) sleepMs(PAUSE_MS)
}

const sleeper = new Int32Array(new SharedArrayBuffer(4))

function sleepMs(ms: number): void {
  Atomics.wait(sleeper, 0, 0, ms)
}

const SQLITE_BUSY = 5

export function isBusy(error: unknown): boolean {
  const { errcode } = error as { errcode?: number }
  return errcode !== undefined && (errcode & 0xff) === SQLITE_BUSY
}
