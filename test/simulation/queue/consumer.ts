// A slot for consumers of the queue: one process at a time, reused from batch to batch. The platform kills it when it
// takes too long, and replaces it after a crash, after idle time, or at random.

import { BREAKER } from '../../../src/engine/deliver/circuit-breaker.ts'
import { createQueueConsumer, type QueueConsumer } from '../../../src/engine/queue/consumer.ts'
import type { Disposition } from '../../../src/ports/queue.ts'
import { MINUTE } from '../../support/fixtures.ts'
import { type Process, startProcess, wasMadeToFail } from '../actors/process.ts'
import type { Worker } from '../actors/worker.ts'
import type { QueuePlan, WorkerPlan } from '../scenario.ts'
import type { Database } from '../support/database.ts'
import { ENGINE, leaseOf } from '../support/settings.ts'
import type { World } from '../support/world.ts'
import { makeParts } from './parts.ts'
import type { Batch, Service } from './service.ts'

export type Consumer = Worker & {
  /** Receives a batch if the slot is free and there is one. */
  offer(): void
}

/** A process that is idle for longer is discarded. */
const KEPT_MS = 10 * MINUTE

/** A process, its consumer with its caches, and its current batch. */
type Instance = { process: Process; worker: QueueConsumer; idleSince: number; batch: Batch | null }

export function createConsumer(
  world: World,
  parts: { database: Database; service: Service; plan: QueuePlan },
  number: number,
  { skewMs: skewAtFirst }: WorkerPlan,
): Consumer {
  const { scheduler, scenario, mistake, note } = world
  const { database, service, plan } = parts
  const dice = world.dice.fork()
  let skewMs = skewAtFirst
  let starts = 0
  let isDown = true
  let instance: Instance | null = null

  function start(): void {
    if (!isDown) return
    if (scheduler.now() < world.downUntil) return startAt(world.downUntil)
    isDown = false
    instance = open()
    offer()
  }

  function open(): Instance {
    starts += 1
    const name = `consumer ${number + 1}.${starts}`
    const process = startProcess(world, { name, who: number, skewMs: () => skewMs, onCrash: goDown })
    note({ kind: 'lifecycle', who: name, what: 'starts' })
    const deps = makeParts(world, database, process)
    const settings = { concurrency: ENGINE.concurrency, breaker: BREAKER }
    const worker = createQueueConsumer(deps, { leaseMs: leaseOf(scenario), ...settings })
    const made = mistake?.consumer?.(worker) ?? worker
    return { process, worker: made, idleSince: scheduler.now(), batch: null }
  }

  function goDown(downMs: number): void {
    const { batch } = instance!
    instance = null
    isDown = true
    if (batch !== null) service.died(batch)
    startAt(scheduler.now() + downMs)
  }

  function startAt(at: number): void {
    scheduler.add({ at, kind: 'script', owner: null, run: start })
  }

  function crash(downMs: number): void {
    if (instance === null) return
    note({ kind: 'lifecycle', who: instance.process.name, what: 'crashes' })
    instance.process.kill()
    goDown(downMs)
  }

  function offer(): void {
    if (isDown || (instance !== null && instance.batch !== null)) return
    const batch = service.receive()
    if (batch === null) return
    const isCold = instance === null || scheduler.now() - instance.idleSince > KEPT_MS || dice.chance(0.1)
    if (isCold) retire()
    instance ??= open()
    instance.batch = batch
    void consume(instance, batch)
  }

  function retire(): void {
    instance?.process.kill()
    instance = null
  }

  async function consume(own: Instance, batch: Batch): Promise<void> {
    const { process, worker } = own
    const who = process.name
    const { dead } = batch
    const messages = batch.messages.map(({ ref, receives }) => ({ ...ref, receives }))
    const until = process.clock.now() + plan.consumeMs
    note({ kind: 'received', who, dead, until, messages })
    const limit = endAt(own, batch, scheduler.now() + plan.limitMs)
    try {
      const answers = await (dead ? worker.deadLetter : worker.work)(messages, until)
      const answered = (kind: Disposition['kind']) =>
        refsOf(batch).filter((_, i) => answers[i]!.kind === kind)
      const [acked, again] = [answered('ack'), answered('retry')]
      note({ kind: 'acknowledged', who, dead, clock: process.clock.now(), acked, again })
      await process.ask('ack', async () => service.answer(batch, answers))
    } catch (error) {
      if (!wasMadeToFail(error)) note({ kind: 'unexpected', who, during: 'a batch', error: String(error) })
    }
    limit.cancel()
    own.batch = null
    own.idleSince = scheduler.now()
    offer()
  }

  /** A paused process is not killed: its whole machine is paused, the supervisor included. */
  function endAt(own: Instance, batch: Batch, at: number): { cancel(): void } {
    let item = scheduler.add({ at, kind: 'script', owner: null, run: end })
    function end(): void {
      if (instance !== own || own.batch !== batch) return
      const { pausedUntil } = own.process
      if (pausedUntil <= scheduler.now()) return crash(0)
      item = scheduler.add({ at: pausedUntil + plan.limitMs, kind: 'script', owner: null, run: end })
    }
    return { cancel: () => scheduler.remove(item) }
  }

  // A poison message crashes the consumer that begins to send it.
  world.onNote.push((entry) => {
    if (entry.kind !== 'send' || entry.who !== instance?.process.name) return
    const message = instance.batch?.messages.find(({ ref }) => ref.eventId === entry.eventId)
    if (message === undefined || message.crashes === 0 || scheduler.now() >= scenario.faultsEndAt) return
    message.crashes -= 1
    note({ kind: 'killed', who: entry.who, eventId: entry.eventId })
    crash(0)
  })

  return {
    skewMs: () => skewMs,
    setClock(ms) {
      skewMs = ms
    },
    // The scheduler, not the consumer, claims due events.
    running: () => false,
    atWork: () => instance !== null && instance.batch !== null,
    start,
    crash,
    stop: () => (instance?.batch === null ? retire() : undefined),
    wake: () => {},
    offer,
  }
}

function refsOf({ messages }: Batch) {
  return messages.map(({ ref }) => ref)
}
