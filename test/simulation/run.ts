// Runs one scenario from its first instant to its last. Returns the trace and the first violated invariant.
import { createApi } from './actors/api.ts'
import { channelRecords } from './actors/channels.ts'
import { createDeployment } from './actors/deployment.ts'
import { createOperator } from './actors/operator.ts'
import { createReceiver } from './actors/receiver.ts'
import { scheduleRollout } from './actors/rollout.ts'
import { createCallers } from './actors/user-callers.ts'
import type { Worker } from './actors/worker.ts'
import type { Entry } from './record/trace.ts'
import { INVARIANTS, type Violation, watchInvariants } from './rules/invariants.ts'
import type { Rule } from './rules/rule.ts'
import type { Fault, Scenario } from './scenario.ts'
import { problemsAt } from './support/accounts.ts'
import { createCallFaults, createHandlerFaults } from './support/call-faults.ts'
import { type Database, type Engine, openDatabase } from './support/database.ts'
import { createDice } from './support/dice.ts'
import { createScheduler } from './support/scheduler.ts'
import { createIdleSkip } from './support/skip-idle-time.ts'
import { createTables } from './support/timezone-tables.ts'
import type { Mistake, World } from './support/world.ts'

export type Run = { scenario: Scenario; mistake: Mistake | null; trace: Entry[]; violation: Violation | null }

export async function runScenario(
  scenario: Scenario,
  mistake: Mistake | null = null,
  rules: readonly Rule[] = INVARIANTS,
  engine: Engine | null = null,
): Promise<Run> {
  const dice = createDice(scenario.seed)
  const scheduler = createScheduler(scenario.from, dice.fork())
  const watch = watchInvariants(scenario, rules)
  const trace: Entry[] = []
  let violation: Violation | null = null
  const world: World = {
    scenario,
    scheduler,
    dice: dice.fork(),
    callFaults: createCallFaults(scenario),
    handlerFaults: createHandlerFaults(scenario),
    receiver: createReceiver(scenario),
    tables: createTables(scenario, mistake?.table),
    mistake,
    downUntil: 0,
    note(entry) {
      const dated = { at: scheduler.now(), ...entry } as Entry
      trace.push(dated)
      scheduler.markActive()
      violation ??= watch(dated)
      for (const listen of world.onNote) listen(dated)
    },
    announce: () => {},
    onNote: [],
  }
  const database = await openDatabase(world, engine)
  try {
    await database.setUp(channelRecords(scenario))
    const skipIdleTime = createIdleSkip(world, database, prepare(world, database))
    while (scheduler.now() < scenario.until && violation === null) {
      await skipIdleTime()
      await scheduler.step()
    }
    if (violation === null) {
      const [now, table] = [scheduler.now(), world.tables.of('api')]
      const problems = await problemsAt(database.plain, { from: scenario.from, now, table })
      world.note({ kind: 'account', problems })
    }
    if (violation === null) world.note({ kind: 'end', tables: await database.tables() })
  } finally {
    await database.close()
  }
  return { scenario, mistake, trace, violation }
}

/** Schedules everything in the scenario. */
function prepare(world: World, database: Database): Worker[] {
  const { scenario, scheduler } = world
  const at = (at: number, run: () => unknown) => scheduler.add({ at, kind: 'script', owner: null, run })
  const { workers, standby } = createDeployment(world, database)
  world.announce = (at) => {
    for (const worker of workers) if (!scenario.wakeUpsGetLost || world.dice.chance(0.5)) worker.wake(at)
  }
  const api = createApi(world, database, workers)
  const callers = createCallers(world, api)
  const operator = createOperator(world, api)
  for (const worker of workers) at(scenario.from, worker.start)
  for (const edit of scenario.edits) at(edit.at, () => callers.make(edit))
  for (const chore of scenario.chores) at(chore.at, () => operator.doChore(chore))
  for (const fault of scenario.faults) scheduleFault(world, workers, fault, at)
  scheduleRollout(world, { workers, api }, at)
  at(scenario.faultsEndAt, () => {
    world.downUntil = 0
    for (const worker of [...workers, ...standby]) worker.start()
    operator.releaseAll()
  })
  at(scenario.until, () => {})
  return [...workers, ...standby]
}

function scheduleFault(
  world: World,
  workers: readonly Worker[],
  fault: Fault,
  at: (at: number, run: () => void) => void,
): void {
  if (fault.kind === 'stop') at(fault.at, () => workers[fault.who]?.stop(fault.downMs))
  if (fault.kind === 'clock') at(fault.at, () => workers[fault.who]?.setClock(fault.skewMs))
  if (fault.kind === 'clock jump') {
    const moveBy = (ms: number) => () => {
      for (const worker of workers) worker.setClock(worker.skewMs() + ms)
      // So that they go to sleep by the wrong clock.
      if (ms > 0) for (const worker of workers) worker.wake(world.scheduler.now())
    }
    at(fault.at, moveBy(fault.aheadMs))
    at(fault.at + fault.forMs, moveBy(-fault.aheadMs))
  }
  if (fault.kind === 'outage') {
    at(fault.at, () => {
      world.downUntil = Math.min(fault.at + fault.forMs, world.scenario.faultsEndAt)
      for (const worker of workers) worker.crash(fault.forMs)
    })
  }
}
