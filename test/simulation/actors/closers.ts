// Two processes that close the days of a history, as the workers of a deployment do: each looks for ended days every few
// minutes, and may crash or pause between any two calls.
import { closeDays } from '../../../src/app/ledger/close-days.ts'
import { createIds } from '../../../src/domain/events/uuid.ts'
import { dayName, endOfDay } from '../../../src/domain/ledger/day.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../support/fixtures.ts'
import type { LedgerPlan, Scenario } from '../scenario.ts'
import { readClosedDays } from '../support/closed-days.ts'
import type { Database } from '../support/database.ts'
import { createDice } from '../support/dice.ts'
import type { World } from '../support/world.ts'
import { connectStore, connectTelemetry } from './connection.ts'
import { type Process, startProcess, wasMadeToFail } from './process.ts'

/** After the end of a day. A process looks every ten minutes; the others are left out, as they would find nothing. */
const LOOKS_MS = [0, 10 * MINUTE, 20 * MINUTE, 8 * HOUR]
const CHECK_MS = 9 * HOUR

/** Schedules the closing of the days of the scenario, and the check of what was closed. */
export function scheduleClosing(
  shared: World,
  database: Database,
  at: (at: number, run: () => unknown) => void,
): void {
  const { ledger, seed } = shared.scenario
  if (ledger === undefined) return
  const last = lastDayOf(ledger)
  // The rolls of the closers do not shift those of the others, and the last day is closed without faults.
  const world: World = {
    ...shared,
    dice: createDice(seed + 0xc105e),
    note: noteApart(shared),
    callFaults: { take: (call) => (call.now < endOfDay(last) ? shared.callFaults.take(call) : null) },
  }
  const closers = [createCloser(world, database, 1), createCloser(world, database, 2)]
  const look = () => {
    for (const closer of closers) closer.look()
  }
  at(ledger.from, look)
  for (let day = Date.parse(dayName(ledger.from)); day <= Date.parse(last); day += DAY)
    for (const ms of LOOKS_MS) at(endOfDay(dayName(day)) + ms, look)
  const check = async () => world.note({ kind: 'closed', ...(await readClosedDays(database.plain, last)) })
  at(checkOf(shared.scenario), check)
}

/** When the closed days are checked; minus infinity if none are closed. */
export function checkOf({ ledger }: Scenario): number {
  return ledger === undefined ? Number.NEGATIVE_INFINITY : endOfDay(lastDayOf(ledger)) + CHECK_MS
}

function lastDayOf({ from, days }: LedgerPlan): string {
  return dayName(from + (days - 1) * DAY)
}

/** Faults of a closer are not faults of a worker, for which some invariants allow time. */
function noteApart({ note }: World): World['note'] {
  return (entry) => {
    if (entry.kind === 'lifecycle') note({ kind: 'closing', who: entry.who, what: entry.what })
    else if (entry.kind === 'failure') note({ kind: 'closing', who: entry.who, what: `${entry.op} fails` })
    else note(entry)
  }
}

function createCloser(world: World, database: Database, number: number): { look(): void } {
  const { scheduler, scenario, note, tables } = world
  const skewMs = world.dice.chance(0.7) ? 0 : world.dice.between(-2 * SECOND, 2 * SECOND)
  let starts = 0
  let downUntil = 0
  let process: Process | null = null
  let isClosing = false

  function start(): Process {
    starts += 1
    return startProcess(world, {
      name: `closer ${number}.${starts}`,
      who: 'closer',
      skewMs: () => skewMs,
      onCrash(downMs) {
        downUntil = scheduler.now() + downMs
        process = null
        isClosing = false
      },
    })
  }

  async function close(by: Process): Promise<void> {
    const planner = { ids: createIds(by.dice.roll), table: tables.of(0) }
    const store = connectStore(world, database, by)
    const { clock } = by
    const deps = { store, clock, planner, telemetry: connectTelemetry(world, by) }
    try {
      await closeDays(deps, { pageSize: scenario.ledger!.pageSize })
    } catch (error) {
      if (!wasMadeToFail(error))
        note({ kind: 'unexpected', who: by.name, during: 'close-day', error: String(error) })
    }
    if (by === process) isClosing = false
  }

  return {
    look() {
      if (isClosing || scheduler.now() < downUntil) return
      process ??= start()
      isClosing = true
      void close(process)
    },
  }
}
