// A PostgreSQL with a synchronous standby. When the primary ends the standby is promoted, the address follows it, and
// it gets a standby of its own: there can be any number of failovers.
import { setTimeout as sleep } from 'node:timers/promises'
import { type PostgresServer, startPostgres } from '../../support/postgres-server.ts'
import {
  cutReplication,
  forgetStandby,
  promote,
  REPLICATED,
  startStandby,
  waitForStandby,
} from '../../support/postgres-standby.ts'

export type ReplicatedServer = Pick<
  PostgresServer,
  'url' | 'createDatabase' | 'crash' | 'restart' | 'stop'
> & {
  /** Where the address leads: to the primary, and during a failover to the standby. */
  readonly port: number
  /**
   * Ends the primary. The address leads to the standby at once, which is promoted after that time. Resolves when the new
   * primary has a synchronous standby. Does nothing while the last standby is not synchronous yet.
   */
  failOver(how: 'kill' | 'shutDown', promoteAfterMs: number): Promise<void>
  /** When a primary was ended. */
  failovers(): number[]
  /** A planted mistake: from now on writes are acknowledged, and the standby does not get them. */
  stopReplication(): Promise<void>
}

const RETRY_MS = 500

export async function startReplicatedServer(options: { fast: boolean }): Promise<ReplicatedServer> {
  let primary = await startPostgres({ ...options, settings: REPLICATED })
  let standby: PostgresServer | null = null
  let crashed: PostgresServer | null = null
  let closed = false
  const failovers: number[] = []
  let last: Promise<unknown> = Promise.resolve()

  /** One after another: a server that restarts after a crash must not be the one that is being replaced. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }

  const isSynchronous = () =>
    waitForStandby(primary).then(
      () => true,
      () => false,
    )

  /** Tries until it succeeds: the primary may crash meanwhile. */
  async function addStandby(): Promise<void> {
    while (!closed) {
      const added = await startStandby(primary, options).catch(() => null)
      if (added !== null && (await isSynchronous())) {
        standby = added
        return
      }
      // Commits must not wait for it.
      await forgetStandby(primary).catch(() => {})
      await added?.stop()
      await sleep(RETRY_MS)
    }
  }

  await addStandby()
  return {
    get port() {
      return primary.port
    },
    url: (database) => primary.url(database),
    createDatabase: () => primary.createDatabase(),
    crash: () =>
      inTurn(async () => {
        crashed = primary
        await primary.crash()
      }),
    restart: () =>
      inTurn(async () => {
        if (crashed === primary) await primary.restart()
        crashed = null
      }),
    async failOver(how, promoteAfterMs) {
      const replaced = await inTurn(async () => {
        if (standby === null || closed) return null
        const old = primary
        failovers.push(Date.now())
        await old[how]()
        primary = standby
        standby = null
        await sleep(promoteAfterMs)
        await promote(primary)
        return old
      })
      if (replaced === null) return
      await replaced.stop()
      await addStandby()
    },
    failovers: () => [...failovers],
    async stopReplication() {
      await forgetStandby(primary)
      await cutReplication(primary, standby!)
    },
    stop: async () => {
      closed = true
      await last
      await standby?.stop()
      await primary.stop()
    },
  }
}
