// Shrinks a scenario that breaks an invariant, as long as it still breaks that invariant.
import { DAY } from '../support/fixtures.ts'
import type { Violation } from './rules/invariants.ts'
import type { BirthdayPlan, Edit, OccasionPlan, Scenario } from './scenario.ts'

export type RunScenario = (scenario: Scenario) => Promise<{ violation: Violation | null }>

/** Shrinking stops after this many runs. */
const MAX_RUNS = 1_000
const ORDERS = 4

export async function shrink(scenario: Scenario, run: RunScenario): Promise<Scenario> {
  const first = (await run(scenario)).violation
  if (first === null) return scenario
  let best = upTo(first.at, scenario)
  let runs = 0

  async function breaks(candidate: Scenario): Promise<boolean> {
    // Leaving something out also shifts latencies and orders: try a few other seeds.
    for (let order = 0; order < ORDERS; order++) {
      const reordered = { ...candidate, seed: scenario.seed + order }
      runs += 1
      const { violation } = await run(reordered)
      if (violation?.rule !== first!.rule) continue
      best = upTo(violation.at, reordered)
      return true
    }
    return false
  }

  for (let shorter = true; shorter && runs < MAX_RUNS; ) {
    shorter = false
    for (const shorten of SHORTENINGS) {
      // After a success the list is rebuilt, and index i holds the next candidate.
      for (let i = 0; i < shorten(best).length && runs < MAX_RUNS; ) {
        if (await breaks(shorten(best)[i]!)) shorter = true
        else i += 1
      }
    }
  }
  return best
}

/** Leaves out everything after the violation. */
function upTo(at: number, scenario: Scenario): Scenario {
  return {
    ...scenario,
    edits: scenario.edits.filter((edit) => edit.at <= at),
    chores: scenario.chores.filter((chore) => chore.at <= at),
    faults: scenario.faults.filter((fault) => fault.at <= at),
    upgrades: scenario.upgrades.filter((upgrade) => upgrade.at <= at),
  }
}

/** All ways to make a scenario a little shorter or simpler. */
const SHORTENINGS: readonly ((scenario: Scenario) => Scenario[])[] = [
  (scenario) =>
    people(scenario).length > 1
      ? people(scenario).map((only) => keep(scenario, (person) => person === only))
      : [],
  (scenario) => people(scenario).map((gone) => keep(scenario, (person) => person !== gone)),
  (scenario) => eachLeftOut(scenario.faults).map((faults) => ({ ...scenario, faults })),
  (scenario) => eachLeftOut(scenario.chores).map((chores) => ({ ...scenario, chores })),
  (scenario) => eachLeftOut(scenario.upgrades).map((upgrades) => ({ ...scenario, upgrades })),
  (scenario) => eachLeftOut(scenario.edits).map((edits) => ({ ...scenario, edits })),
  (scenario) =>
    eachLeftOut(scenario.workers).flatMap((workers) =>
      workers.length > 0 ? [{ ...scenario, workers }] : [],
    ),
  (scenario) =>
    scenario.workers.flatMap(({ skewMs }, i) =>
      skewMs === 0 ? [] : [{ ...scenario, workers: scenario.workers.with(i, { skewMs: 0 }) }],
    ),
  (scenario) => (scenario.databaseBehindMs === 0 ? [] : [{ ...scenario, databaseBehindMs: 0 }]),
  ({ lateness, ...scenario }) =>
    eachLeftOut(Object.entries(lateness)).map((fewer) => ({
      ...scenario,
      lateness: Object.fromEntries(fewer),
    })),
  (scenario) => (scenario.wakeUpsGetLost ? [{ ...scenario, wakeUpsGetLost: false }] : []),
  ({ handlers, ...scenario }) => (handlers === undefined ? [] : [scenario]),
  simplerQueue,
  simplerChannels,
  simplerBirthdays,
  simplerOccasions,
  halfAsLong,
]

function people({ edits }: Scenario): number[] {
  return [...new Set(edits.map(({ person }) => person))]
}

function keep(scenario: Scenario, stays: (person: number) => boolean): Scenario {
  return { ...scenario, edits: scenario.edits.filter(({ person }) => stays(person)) }
}

/** Without the last channel, if nothing refers to it; each channel without its limits. */
function simplerChannels(scenario: Scenario): Scenario[] {
  const { channels, edits, chores, faults } = scenario
  const last = channels.length - 1
  const isUsed = [
    ...edits.map((edit) => ('birthday' in edit ? edit.birthday : occasionOf(edit))),
    ...chores,
    ...faults,
  ].some((one) => 'channel' in one && one.channel === last)
  const fewer = last > 0 && !isUsed ? [{ ...scenario, channels: channels.slice(0, last) }] : []
  const freer = channels.flatMap((channel, i) =>
    (['perSecond', 'concurrency'] as const).flatMap((limit) =>
      channel[limit] === null
        ? []
        : [{ ...scenario, channels: channels.with(i, { ...channel, [limit]: null }) }],
    ),
  )
  return [...fewer, ...freer]
}

/** Engines instead of the queue; or ordered delivery, a scheduler with a correct clock, and calls at the full minute. */
function simplerQueue(scenario: Scenario): Scenario[] {
  const { queue, ...engines } = scenario
  if (queue === undefined) return []
  const plain = { skewMs: 0, phaseMs: 0, inOrder: true }
  const different = (Object.keys(plain) as (keyof typeof plain)[]).filter((key) => queue[key] !== plain[key])
  return [engines, ...different.map((key) => ({ ...scenario, queue: { ...queue, [key]: plain[key] } }))]
}

function simplerBirthdays(scenario: Scenario): Scenario[] {
  return scenario.edits.flatMap((edit, i) => {
    if (!('birthday' in edit)) return []
    const { channel, notAfter } = edit.birthday
    const simpler: BirthdayPlan[] = []
    if (notAfter !== null) simpler.push({ channel, notAfter: null })
    if (channel !== null && channel > 0) simpler.push({ channel: channel - 1, notAfter })
    if (channel === 0) simpler.push({ channel: null, notAfter })
    return simpler.map((birthday) => ({ ...scenario, edits: scenario.edits.with(i, { ...edit, birthday }) }))
  })
}

/** The fields of an occasion that an edit sets. */
function occasionOf(edit: Edit): Partial<OccasionPlan> {
  if (!('occasion' in edit)) return {}
  return 'plan' in edit ? edit.plan : 'change' in edit ? edit.change : {}
}

/** The fields of a simple occasion. */
const SIMPLE: Partial<OccasionPlan> = {
  channel: null,
  notAfter: null,
  until: null,
  localTime: '09:00',
  leapDay: 'MARCH_1',
  shift: null,
  onWeekend: null,
}

function simplerOccasions(scenario: Scenario): Scenario[] {
  return scenario.edits.flatMap((edit, i) => {
    if (edit.kind !== 'add occasion') return []
    return Object.entries(SIMPLE).flatMap(([field, value]) => {
      if (edit.plan[field as keyof OccasionPlan] === value) return []
      const simpler = { ...edit, plan: { ...edit.plan, [field]: value } }
      return [{ ...scenario, edits: scenario.edits.with(i, simpler) }]
    })
  })
}

function eachLeftOut<T>(list: readonly T[]): T[][] {
  return list.map((_, i) => list.toSpliced(i, 1))
}

function halfAsLong(scenario: Scenario): Scenario[] {
  const { from, faultsEndAt, until, edits, chores, faults, upgrades } = scenario
  const half = Math.floor((faultsEndAt - from) / 2)
  if (half < DAY || [...edits, ...chores, ...faults, ...upgrades].some(({ at }) => at >= from + half))
    return []
  return [{ ...scenario, faultsEndAt: from + half, until: until - (faultsEndAt - from - half) }]
}
