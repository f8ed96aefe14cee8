// The database of a function that stays warm while its password, or its role, is rotated.

import { type AnyDecorator, decorateEach, forward } from '../../domain/decorate.ts'
import { StoreUnavailableError } from '../../domain/errors.ts'
import type { EnqueueStore } from '../../ports/enqueue.ts'
import type { Store } from '../../ports/store.ts'
import type { Config } from '../config/config.ts'
import { type Database, openPostgres } from '../node/database.ts'

type Settings = Config['database'] & { kind: 'postgres' }

/** SQLSTATEs: invalid password, and invalid authorization, as of a role that may no longer log in. */
const LOGIN_REJECTED = ['28P01', '28000']

/** The outage of a rejected login; null for any other error. */
function loginRejection(error: unknown): StoreUnavailableError | null {
  const { code, cause } = error as { code?: string; cause?: unknown }
  if (LOGIN_REJECTED.includes(code ?? ''))
    return new StoreUnavailableError('The database rejects the login', code!, undefined)
  return cause instanceof Error ? loginRejection(cause) : null
}

/** One more attempt if the database is down: the caller waits. A rejected login is an outage, which a rotation that goes on may end. */
async function open(settings: Settings): Promise<Database> {
  try {
    return await openPostgres(settings, { attempts: 2 })
  } catch (error) {
    throw loginRejection(error) ?? error
  }
}

/**
 * Opens the database. If it rejects the login of a new connection, the settings are read again, and the call is repeated on a
 * database that is opened by them: a rejected login has written nothing.
 */
export async function openRotated(settings: Settings, readAgain: () => Promise<Settings>): Promise<Database> {
  let current = await open(settings)
  let reopening: Promise<void> | null = null

  async function reopen(rejected: Database): Promise<void> {
    if (current !== rejected) return
    current = await open(await readAgain())
    // Ends after the calls in flight on it.
    void rejected.close().catch(() => {})
  }

  const repeated: AnyDecorator =
    (operation) =>
    async (...args) => {
      const used = current
      try {
        return await operation(...args)
      } catch (error) {
        if (loginRejection(error) === null) throw error
        reopening ??= reopen(used).finally(() => {
          reopening = null
        })
        await reopening
        return operation(...args)
      }
    }
  const store = decorateEach(
    forward(() => current.store as Store & EnqueueStore),
    repeated,
  )
  // The clock is that of the database, and so follows it.
  const clock: Database['clock'] = { ...current.clock, now: () => current.clock.now() }
  return {
    ...current,
    clock,
    announce: (at) => current.announce(at),
    store,
    enqueued: store,
    close: () => current.close(),
  }
}
