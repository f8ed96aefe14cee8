// Makes things go wrong, each at its time, and puts an end to all of it at once. Counts what it did.
import { setTimeout as sleep } from 'node:timers/promises'
import { createDice } from '../../simulation/support/dice.ts'
import type { PostgresServer } from '../../support/postgres-server.ts'
import type { DatabaseProxy } from './database-proxy.ts'
import type { Fault, Step } from './fault-script.ts'
import type { Sink } from './receiver.ts'
import type { Crew } from './worker-pool.ts'

export type FaultTime = { at: number; kind: Fault['kind'] }

export type Faults = {
  play(steps: readonly Step[], startAt: number): Promise<void>
  /** Whatever is still going wrong ends now. */
  end(): Promise<void>
  happened(): { faults: FaultTime[]; cuts: number; lostCommits: { before: number; after: number } }
}

export type Happened = ReturnType<Faults['happened']> & {
  openings: number
  changes: number
  deletions: number
}

type Deps = { crew: Crew; server: PostgresServer; proxy: DatabaseProxy; sink: Sink; seed: number }

/** Long silences are for those who had a connection; for newcomers they would be one long outage and nothing else. */
const NOBODY_COMES_IN_MS = 1_500

export function createFaults({ crew, server, proxy, sink, seed }: Deps): Faults {
  const dice = createDice(seed).fork()
  const faults: FaultTime[] = []
  const underWay = new Map<Fault['kind'], Promise<void>>()
  const over = new AbortController()
  let cuts = 0

  /** Ends early when all faults do. */
  const last = (ms: number) => sleep(Math.max(0, ms), undefined, { signal: over.signal }).catch(() => {})

  async function commit(fault: Fault): Promise<void> {
    switch (fault.kind) {
      case 'kill':
        return crew.kill(fault.place)
      case 'retire':
        return crew.retire(fault.place)
      case 'pause':
        return crew.pause(fault.place, fault.forMs)
      case 'cut':
        cuts += proxy.cut(fault.share, dice.roll)
        return
      case 'lose-commits':
        proxy.loseCommits(fault.share, fault.when, dice.roll)
        await last(fault.forMs)
        return proxy.loseCommits(0, fault.when, dice.roll)
      case 'crash':
        await server.crash()
        await last(fault.downMs)
        return server.restart()
      case 'delay':
        proxy.delay(fault.ms)
        await last(fault.forMs)
        return proxy.delay(0)
      case 'silence':
        proxy.silence(fault.share, dice.roll)
        await last(NOBODY_COMES_IN_MS)
        proxy.admit()
        await last(fault.forMs)
        return proxy.speak()
      case 'mood':
        await sink.behave(fault.mood)
        await last(fault.forMs)
        return sink.behave('kind')
    }
  }

  return {
    async play(steps, startAt) {
      for (const { atMs, fault } of steps) {
        await last(startAt + atMs - Date.now())
        // What is going on already is not begun a second time.
        if (over.signal.aborted || underWay.has(fault.kind)) continue
        faults.push({ at: Date.now(), kind: fault.kind })
        underWay.set(
          fault.kind,
          commit(fault).finally(() => underWay.delete(fault.kind)),
        )
      }
    },
    async end() {
      over.abort()
      await Promise.all(underWay.values())
      crew.resume()
      await sink.behave('calm')
    },
    happened: () => ({ faults: [...faults], cuts, lostCommits: proxy.lostCommits() }),
  }
}
