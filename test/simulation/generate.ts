// A seed becomes a scenario. Biased to where things go wrong: the seconds around somebody's nine o'clock, places near the
// date line, leap days, the turn of the year, several people on one instant.
import type { UserInput } from '../../src/domain/user.ts'
import { DAY, HOUR, MINUTE, SECOND, YEAR } from '../fixtures.ts'
import { createDice, type Dice } from './dice.ts'
import { dueIn, type Settings, ZONE_NAMES } from './oracle.ts'
import type { Chore, Edit, Fault, Reply, Scenario, Stage, Who, WorkerPlan } from './scenario.ts'

/** Long enough for every lease, retry and backoff to run out. */
const CALM_MS = DAY
const NEAR_DATE_LINE = [
  'Pacific/Kiritimati',
  'Pacific/Apia',
  'Pacific/Pago_Pago',
  'Pacific/Chatham',
  'Pacific/Fakaofo',
  'Etc/GMT+12',
  'Etc/GMT-14',
]
const ODD_DAYS = ['1996-02-29', '2000-02-29', '1988-12-31', '1977-01-01', '1990-03-01']

export function generate(seed: number): Scenario {
  const dice = createDice(seed)
  const from = Date.UTC(2026, 0, 1) + dice.between(0, 12 * 365) * DAY
  const calmAt = from + dice.between(YEAR, 6 * YEAR)
  const nines: number[] = []
  const circles = Array.from({ length: dice.between(1, 2) }, () => chooseSettings(dice))
  const edits = Array.from({ length: dice.between(2, 12) }, (_, person) =>
    life(dice, { person, circles, nines, from, calmAt }),
  ).flat()
  const workers = Array.from({ length: dice.between(1, 3) }, () => chooseWorker(dice))
  const faults = Array.from({ length: dice.chance(0.15) ? 0 : dice.between(1, 24) }, () =>
    chooseFault(dice, workers.length, nearNine(dice, dice.pick(nines))),
  )
  return {
    seed,
    from,
    calmAt,
    until: calmAt + CALM_MS,
    edits: edits.filter(({ at }) => at < calmAt),
    chores: Array.from({ length: dice.between(0, 3) }, () =>
      chooseChores(dice, dice.pick([...nines, ...faults.map(({ at }) => at)])),
    )
      .flat()
      .filter(({ at }) => at < calmAt),
    workers,
    faults: faults.filter(({ at }) => at < calmAt),
    databaseBehindMs: dice.chance(0.2) ? dice.between(1, 80) : 0,
    catchUpWindowMs: dice.chance(0.25) ? dice.between(1, 48) * HOUR : null,
    newsGetsLost: dice.chance(0.3),
  }
}

type Life = { person: number; circles: Settings[]; nines: number[]; from: number; calmAt: number }

/** Everything that one person does. */
function life(dice: Dice, { person, circles, nines, from, calmAt }: Life): Edit[] {
  let settings = dice.chance(0.6) ? dice.pick(circles) : chooseSettings(dice)
  const startYear = new Date(from).getUTCFullYear()
  const endYear = new Date(calmAt).getUTCFullYear()
  for (let year = startYear; year <= endYear; year++) {
    const nine = dueIn(year, settings)
    if (nine > from && nine < calmAt) nines.push(nine)
  }
  const someNine = (after: number) => {
    const nine = dueIn(dice.between(startYear, endYear), settings)
    return nine > after ? nine : dueIn(endYear, settings)
  }
  const createdAt = dice.chance(0.3)
    ? Math.max(from, nearNine(dice, dueIn(startYear, settings)))
    : from + dice.between(0, 90) * DAY
  const input: UserInput = { firstName: `First${person}`, lastName: `Last${person}`, ...settings }
  const edits: Edit[] = [{ at: createdAt, person, kind: 'create', input }]
  for (let changes = dice.between(0, 3); changes > 0; changes--) {
    const at = nearNine(dice, someNine(createdAt))
    const change = chooseChange(dice, circles, person)
    settings = { ...settings, ...change }
    if (at > createdAt) edits.push({ at, person, kind: 'change', input: change })
  }
  if (dice.chance(0.2)) edits.push({ at: nearNine(dice, someNine(createdAt)), person, kind: 'delete' })
  return edits
}

function chooseSettings(dice: Dice): Settings {
  const dateOfBirth = dice.chance(0.3) ? dice.pick(ODD_DAYS) : someDate(dice)
  return { dateOfBirth, timezone: choosePlace(dice) }
}

function someDate(dice: Dice): string {
  return new Date(Date.UTC(dice.between(1940, 2020), 0, dice.between(1, 365))).toISOString().slice(0, 10)
}

function choosePlace(dice: Dice): string {
  return dice.chance(0.3) ? dice.pick(NEAR_DATE_LINE) : dice.pick(ZONE_NAMES)
}

function chooseChange(dice: Dice, circles: readonly Settings[], person: number): Partial<Settings> {
  const roll = dice.roll()
  if (roll < 0.5) return { timezone: choosePlace(dice) }
  if (roll < 0.6) return dice.pick(circles)
  if (roll < 0.8) return { dateOfBirth: dice.chance(0.3) ? dice.pick(ODD_DAYS) : someDate(dice) }
  const lastName = `Last${person} ${dice.pick(['the Second', 'O’Hara', '{firstName}', '张'])}`
  return { lastName } as Partial<UserInput> as Partial<Settings>
}

/** Most that matters happens within seconds of nine, some of it within the day. */
function nearNine(dice: Dice, nine: number): number {
  const roll = dice.roll()
  if (roll < 0.15) return nine
  if (roll < 0.5) return nine + dice.between(-50, 200)
  if (roll < 0.7) return nine + dice.between(-5, 10) * SECOND
  if (roll < 0.8) return nine + dice.between(-3, 3) * MINUTE
  return nine + dice.between(-26, 26) * HOUR
}

/** An operator who is at it does several things in a row. */
function chooseChores(dice: Dice, from: number): Chore[] {
  let at = nearNine(dice, from)
  return Array.from({ length: dice.between(1, 4) }, () => {
    at += dice.between(1, 120) * SECOND
    return dice.chance(0.25)
      ? { kind: 'prune', at, olderThanMs: dice.pick([0, DAY, YEAR]) }
      : { kind: 'replay', at, ownKey: dice.chance(0.4) }
  })
}

function chooseWorker(dice: Dice): WorkerPlan {
  const roll = dice.roll()
  if (roll < 0.5) return { skewMs: 0 }
  // A worker that is ahead asks the database behind it forty times a second: more than a little only costs time.
  if (roll < 0.73) return { skewMs: dice.between(1, 100) }
  if (roll < 0.75) return { skewMs: dice.between(100, 3 * SECOND) }
  return { skewMs: -dice.between(1, 90 * SECOND) }
}

const WORKER_OPS = ['claimDue', 'settle', 'send', 'send', 'readClaims', 'extendLeases', 'nextWakeAt', 'any']
const API_OPS = ['createUsers', 'readPerson', 'updateUser', 'deleteUser', 'any']

function chooseFault(dice: Dice, workers: number, at: number): Fault {
  const roll = dice.roll()
  if (roll < 0.3) return { kind: 'reply', at, times: dice.between(1, 6), reply: chooseReply(dice) }
  if (roll < 0.36)
    return { kind: 'stop', at, who: dice.between(0, workers - 1), downMs: dice.between(0, 600) * SECOND }
  if (roll < 0.39) return { kind: 'clock', at, who: dice.between(0, workers - 1), ...chooseWorker(dice) }
  if (roll < 0.43) return { kind: 'outage', at, forMs: chooseOutage(dice) }
  const who: Who = dice.chance(0.15) ? 'api' : dice.between(0, workers - 1)
  const stage: Stage = dice.chance(0.5) ? 'before' : 'after'
  const call = { at, who, op: dice.pick(who === 'api' ? API_OPS : WORKER_OPS), stage }
  if (roll < 0.62) return { ...call, kind: 'crash', downMs: dice.pick([0, SECOND, MINUTE, HOUR]) }
  if (roll < 0.84) return { ...call, kind: 'pause', forMs: dice.between(1, 400) * SECOND }
  return { ...call, kind: 'failure', times: dice.between(1, 12) }
}

function chooseOutage(dice: Dice): number {
  return dice.chance(0.2) ? dice.between(300, 900) * DAY : dice.between(1, 100) * HOUR
}

function chooseReply(dice: Dice): Reply {
  const roll = dice.roll()
  if (roll < 0.3) return { kind: 'status', status: dice.pick([500, 502, 503, 408]) }
  if (roll < 0.4) return { kind: 'status', status: 429, retryAfterSeconds: dice.between(0, 1800) }
  if (roll < 0.55) return { kind: 'status', status: dice.pick([400, 404, 404, 301, 410]) }
  if (roll < 0.7) return { kind: 'timeout', accepted: dice.chance(0.5) }
  if (roll < 0.85) return { kind: 'reset', accepted: dice.chance(0.5) }
  return { kind: 'slow', ms: dice.between(1, 150) * SECOND }
}
