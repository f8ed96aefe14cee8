// Runs the faults of a script at their times, and can end all of them at once. Counts them.
import { setTimeout as sleep } from 'node:timers/promises'
import { createDice } from '../../simulation/support/dice.ts'
import type { DatabaseProxy } from './database-proxy.ts'
import type { Fault, Step } from './fault-script.ts'
import type { Receiver } from './receiver.ts'
import type { ReplicatedServer } from './replicated-server.ts'
import type { WorkerPool } from './worker-pool.ts'

export type FaultTime = { at: number; kind: Fault['kind'] }

export type Faults = {
  play(steps: readonly Step[], startAt: number): Promise<void>
  /** Ends every active fault. */
  end(): Promise<void>
  happened(): {
    faults: FaultTime[]
    failovers: number[]
    cuts: number
    lostCommits: { before: number; after: number }
  }
}

export type Happened = ReturnType<Faults['happened']> & {
  starts: number
  rollouts: number
  changes: number
  deletions: number
}

type Deps = {
  workerPool: WorkerPool
  server: ReplicatedServer
  proxy: DatabaseProxy
  receiver: Receiver
  seed: number
}

/** New connections are silent for this long only: for them a long silence would be a plain outage. */
const NEW_SILENT_MS = 1_500

/** Longer than a worker waits for a response. */
const VANISHED_MS = 40_000

export function createFaults({ workerPool, server, proxy, receiver, seed }: Deps): Faults {
  const dice = createDice(seed).fork()
  const faults: FaultTime[] = []
  const active = new Map<Fault['kind'], Promise<void>>()
  const over = new AbortController()
  let cuts = 0

  /** Ends early when all faults do. */
  const last = (ms: number) => sleep(Math.max(0, ms), undefined, { signal: over.signal }).catch(() => {})

  async function run(fault: Fault): Promise<void> {
    switch (fault.kind) {
      case 'kill':
        return workerPool.kill(fault.slot)
      case 'retire':
        return workerPool.retire(fault.slot)
      case 'pause':
        return workerPool.pause(fault.slot, fault.forMs)
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
      case 'failover':
        return failOver(fault)
      case 'delay':
        proxy.delay(fault.ms)
        await last(fault.forMs)
        return proxy.delay(0)
      case 'silence':
        proxy.silence(fault.share, dice.roll)
        await last(NEW_SILENT_MS)
        proxy.admit()
        await last(fault.forMs)
        return proxy.speak()
      case 'mode':
        await receiver.behave(fault.mode)
        await last(fault.forMs)
        return receiver.behave('mixed')
    }
  }

  async function failOver({ promoteAfterMs, how }: Fault & { kind: 'failover' }): Promise<void> {
    if (how !== 'vanish') return server.failOver(how, promoteAfterMs)
    proxy.silence(1, dice.roll)
    const replaced = server.failOver('kill', promoteAfterMs)
    await last(NEW_SILENT_MS)
    proxy.admit()
    await last(VANISHED_MS)
    proxy.speak()
    return replaced
  }

  return {
    async play(steps, startAt) {
      for (const { atMs, fault } of steps) {
        await last(startAt + atMs - Date.now())
        // A kind that is already active is not started again.
        if (over.signal.aborted || active.has(fault.kind)) continue
        faults.push({ at: Date.now(), kind: fault.kind })
        active.set(
          fault.kind,
          run(fault).finally(() => active.delete(fault.kind)),
        )
      }
    },
    async end() {
      over.abort()
      await Promise.all(active.values())
      workerPool.resume()
      await receiver.behave('accepting')
    },
    happened: () => ({
      faults: [...faults],
      failovers: server.failovers(),
      cuts,
      lostCommits: proxy.lostCommits(),
    }),
  }
}
