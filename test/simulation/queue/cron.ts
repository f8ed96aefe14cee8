// The scheduler as its platform runs it: called every minute, in a process that may serve several calls; overlapping calls
// get processes of their own. A call that would find nothing is left out.
import { dispatchUntil } from '../../../src/engine/queue/dispatcher.ts'
import type { Queue } from '../../../src/ports/queue.ts'
import { MINUTE, SECOND } from '../../support/fixtures.ts'
import { type Process, startProcess, wasMadeToFail } from '../actors/process.ts'
import type { Worker } from '../actors/worker.ts'
import type { QueuePlan, Scenario } from '../scenario.ts'
import type { Database } from '../support/database.ts'
import { ENGINE, leaseOf } from '../support/settings.ts'
import type { World } from '../support/world.ts'
import { makeParts } from './parts.ts'
import type { Service } from './service.ts'

/** A process that is idle for longer is discarded. */
const KEPT_MS = 10 * MINUTE
/** The platform kills a call that takes longer. */
const LIMIT_MS = MINUTE

type Instance = { process: Process; run(): Promise<unknown>; idleSince: number }

/** The last instant up to `at` at which the scheduler is called. */
export function callBefore({ phaseMs }: QueuePlan, at: number): number {
  return Math.floor((at - phaseMs) / MINUTE) * MINUTE + phaseMs
}

export function createCron(
  world: World,
  parts: { database: Database; service: Service; plan: QueuePlan },
): Worker {
  const { scheduler, scenario, mistake, note } = world
  const { database, service, plan } = parts
  const dice = world.dice.fork()
  let { skewMs } = plan
  let starts = 0
  let runs = 0
  let isDown = true
  const instances = new Set<Instance>()
  const idle: Instance[] = []

  function start(): void {
    if (!isDown) return
    if (scheduler.now() < world.downUntil) return startAt(world.downUntil)
    isDown = false
    idle.push(open())
  }

  function startAt(at: number): void {
    scheduler.add({ at, kind: 'script', owner: null, run: start })
  }

  function open(): Instance {
    starts += 1
    const name = `scheduler.${starts}`
    const process = startProcess(world, {
      name,
      who: 'cron',
      skewMs: () => skewMs,
      onCrash: (downMs) => goDown(instance, downMs),
    })
    note({ kind: 'lifecycle', who: name, what: 'starts' })
    const queue = reach(process)
    const deps = { ...makeParts(world, database, process), queue: mistake?.queue?.(queue) ?? queue }
    const run = () => {
      runs += 1
      const leaseMs = leaseOf(scenario)
      const until = process.clock.now() + plan.runMs
      return dispatchUntil(deps, { claimedBy: `run-${runs}`, leaseMs, batchSize: ENGINE.batchSize, until })
    }
    const instance: Instance = { process, run, idleSince: scheduler.now() }
    instances.add(instance)
    return instance
  }

  /** After a failed call it is unknown whether the queue stored the messages. */
  function reach(process: Process): Queue {
    return {
      send: (refs) =>
        process
          .ask('hand over', async () => service.take(refs))
          .catch((error) => ({ failed: [...refs], error })),
    }
  }

  /** A crash ends one process only; the platform makes no calls for a while. */
  function goDown(instance: Instance, downMs: number): void {
    drop(instance)
    isDown = true
    startAt(scheduler.now() + downMs)
  }

  function drop(instance: Instance): void {
    instance.process.kill()
    instances.delete(instance)
    if (idle.includes(instance)) idle.splice(idle.indexOf(instance), 1)
  }

  function take(): Instance {
    for (const instance of [...idle])
      if (scheduler.now() - instance.idleSince > KEPT_MS || dice.chance(0.1)) drop(instance)
    return idle.pop() ?? open()
  }

  function call(): void {
    if (!running()) return
    const instance = take()
    const { process } = instance
    const limit = endAt(instance, scheduler.now() + LIMIT_MS)
    void instance
      .run()
      .catch((error) => {
        if (!wasMadeToFail(error))
          note({ kind: 'unexpected', who: process.name, during: 'a run', error: String(error) })
      })
      .then(() => {
        limit.cancel()
        instance.idleSince = scheduler.now()
        if (process.alive()) idle.push(instance)
      })
  }

  /** A paused process is not killed: its whole machine is paused, the supervisor included. */
  function endAt(instance: Instance, at: number): { cancel(): void } {
    let item = scheduler.add({ at, kind: 'script', owner: null, run: end })
    function end(): void {
      const { process } = instance
      if (!process.alive()) return
      if (process.pausedUntil > scheduler.now()) {
        item = scheduler.add({ at: process.pausedUntil + LIMIT_MS, kind: 'script', owner: null, run: end })
        return
      }
      note({ kind: 'lifecycle', who: process.name, what: 'crashes' })
      goDown(instance, 0)
    }
    return { cancel: () => scheduler.remove(item) }
  }

  async function tick(): Promise<void> {
    const now = scheduler.now()
    tickAt(callBefore(plan, now) + MINUTE)
    const { freeAt } = await database.outlook()
    if (freeAt - skewMs < now + plan.runMs + SECOND) call()
  }

  function tickAt(at: number): void {
    scheduler.add({ at, kind: 'timer', owner: null, run: tick })
  }

  function running(): boolean {
    return !isDown && !isLeftOut(scenario, scheduler.now())
  }

  tickAt(callBefore(plan, scenario.from) + MINUTE)
  for (const fault of scenario.faults) {
    const script = (at: number, run: () => void) => scheduler.add({ at, kind: 'script', owner: null, run })
    if (fault.kind === 'extra run') script(fault.at, call)
    // The end of the gap counts as activity, so that the calls after it are not skipped.
    if (fault.kind === 'no runs')
      script(Math.min(fault.at + fault.forMs, scenario.faultsEndAt), scheduler.markActive)
  }

  return {
    skewMs: () => skewMs,
    setClock(ms) {
      skewMs = ms
    },
    running,
    atWork: () => instances.size > idle.length,
    start,
    crash(downMs) {
      if (isDown) return
      for (const instance of instances) {
        note({ kind: 'lifecycle', who: instance.process.name, what: 'crashes' })
        drop(instance)
      }
      isDown = true
      startAt(scheduler.now() + downMs)
    },
    stop: () => {},
    wake: () => {},
  }
}

/** Whether the scenario has a gap in the calls at that time. */
function isLeftOut({ faults, faultsEndAt }: Scenario, now: number): boolean {
  return faults.some(
    (fault) =>
      fault.kind === 'no runs' && now >= fault.at && now < Math.min(fault.at + fault.forMs, faultsEndAt),
  )
}
