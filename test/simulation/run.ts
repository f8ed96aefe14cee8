// Lives one scenario from its first instant to its last, and says what happened and which invariant broke, if one did.
import { createApi } from './actors/api.ts'
import { channelRecords } from './actors/channels.ts'
import { openHome } from './actors/deployment.ts'
import { createOperator } from './actors/operator.ts'
import { createReceiver } from './actors/receiver.ts'
import { scheduleRollout } from './actors/rollout.ts'
import { createCallers } from './actors/user-callers.ts'
import type { Worker } from './actors/worker.ts'
import type { Entry } from './record/trace.ts'
import { INVARIANTS, type Violation, watchInvariants } from './rules/invariants.ts'
import type { Rule } from './rules/rule.ts'
import type { Fault, Scenario } from './scenario.ts'
import { setTraps } from './support/call-faults.ts'
import { type Database, openDatabase } from './support/database.ts'
import { createDice } from './support/dice.ts'
import { createScheduler } from './support/scheduler.ts'
import { passOverQuiet } from './support/skip-idle-time.ts'
import { createTables } from './support/timezone-tables.ts'
import type { Bug, World } from './support/world.ts'

export type History = { scenario: Scenario; trace: Entry[]; violation: Violation | null }

export async function live(
  scenario: Scenario,
  bug: Bug | null = null,
  rules: readonly Rule[] = INVARIANTS,
): Promise<History> {
  const dice = createDice(scenario.seed)
  const scheduler = createScheduler(scenario.from, dice.fork())
  const watch = watchInvariants(scenario, rules)
  const trace: Entry[] = []
  let violation: Violation | null = null
  const world: World = {
    scenario,
    scheduler,
    dice: dice.fork(),
    traps: setTraps(scenario),
    receiver: createReceiver(scenario),
    tables: createTables(scenario),
    bug,
    downUntil: 0,
    note(entry) {
      const dated = { at: scheduler.now(), ...entry } as Entry
      trace.push(dated)
      scheduler.stir()
      violation ??= watch(dated)
      for (const hear of world.onNote) hear(dated)
    },
    announce: () => {},
    onNote: [],
  }
  const database = await openDatabase(world)
  try {
    await database.setUp(channelRecords(scenario))
    const workers = prepare(world, database)
    while (scheduler.now() < scenario.until && violation === null) {
      await passOverQuiet(world, database, workers)
      await scheduler.step()
    }
    if (violation === null) world.note({ kind: 'rest', tables: await database.tables() })
  } finally {
    await database.close()
  }
  return { scenario, trace, violation }
}

/** Puts everything that the scenario says onto the scheduler. */
function prepare(world: World, database: Database): Worker[] {
  const { scenario, scheduler } = world
  const at = (at: number, run: () => void) => scheduler.add({ at, kind: 'script', owner: null, run })
  const { workers, relief } = openHome(world, database)
  world.announce = (at) => {
    for (const worker of workers) if (!scenario.newsGetsLost || world.dice.chance(0.5)) worker.wake(at)
  }
  const api = createApi(world, database, workers)
  const callers = createCallers(world, api)
  const operator = createOperator(world, api)
  for (const worker of workers) at(scenario.from, worker.start)
  for (const edit of scenario.edits) at(edit.at, () => callers.make(edit))
  for (const chore of scenario.chores) at(chore.at, () => operator.doChore(chore))
  for (const fault of scenario.faults) strike(world, workers, fault, at)
  scheduleRollout(world, { workers, api }, at)
  at(scenario.calmAt, () => {
    world.downUntil = 0
    for (const worker of [...workers, ...relief]) worker.start()
    operator.tidyUp()
  })
  at(scenario.until, () => {})
  return [...workers, ...relief]
}

function strike(
  world: World,
  workers: readonly Worker[],
  fault: Fault,
  at: (at: number, run: () => void) => void,
): void {
  if (fault.kind === 'stop') at(fault.at, () => workers[fault.who]?.stop(fault.downMs))
  if (fault.kind === 'clock') at(fault.at, () => workers[fault.who]?.setClock(fault.skewMs))
  if (fault.kind === 'outage') {
    at(fault.at, () => {
      world.downUntil = Math.min(fault.at + fault.forMs, world.scenario.calmAt)
      for (const worker of workers) worker.crash(fault.forMs)
    })
  }
}
