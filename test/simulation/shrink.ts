// Makes a scenario that breaks an invariant as short as it gets, as long as it breaks the same one.
import { DAY } from '../support/fixtures.ts'
import type { Violation } from './rules/invariants.ts'
import type { BirthdayPlan, Edit, OccasionPlan, Scenario } from './scenario.ts'

export type Live = (scenario: Scenario) => Promise<{ violation: Violation | null }>

/** A bound, so that it ends in any case. */
const MAX_LIVES = 1_000
const ORDERS = 4

export async function shrink(scenario: Scenario, live: Live): Promise<Scenario> {
  const first = (await live(scenario)).violation
  if (first === null) return scenario
  let best = upTo(first.at, scenario)
  let lives = 0

  async function breaks(candidate: Scenario): Promise<boolean> {
    // What is left out also changes who is quick and who is slow: a few other orders get their chance.
    for (let order = 0; order < ORDERS; order++) {
      const reordered = { ...candidate, seed: scenario.seed + order }
      lives += 1
      const { violation } = await live(reordered)
      if (violation?.rule !== first!.rule) continue
      best = upTo(violation.at, reordered)
      return true
    }
    return false
  }

  for (let shorter = true; shorter && lives < MAX_LIVES; ) {
    shorter = false
    for (const shorten of SHORTENINGS) {
      // When one is taken, the list is made anew and the same place holds the next.
      for (let i = 0; i < shorten(best).length && lives < MAX_LIVES; ) {
        if (await breaks(shorten(best)[i]!)) shorter = true
        else i += 1
      }
    }
  }
  return best
}

/** What comes after the break cannot have caused it. */
function upTo(at: number, scenario: Scenario): Scenario {
  return {
    ...scenario,
    edits: scenario.edits.filter((edit) => edit.at <= at),
    chores: scenario.chores.filter((chore) => chore.at <= at),
    faults: scenario.faults.filter((fault) => fault.at <= at),
    upgrades: scenario.upgrades.filter((upgrade) => upgrade.at <= at),
  }
}

/** All the ways to make a scenario a little shorter or plainer. */
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
  (scenario) => (scenario.newsGetsLost ? [{ ...scenario, newsGetsLost: false }] : []),
  plainerQueue,
  plainerChannels,
  plainerBirthdays,
  plainerOccasions,
  halfAsLong,
]

function people({ edits }: Scenario): number[] {
  return [...new Set(edits.map(({ person }) => person))]
}

function keep(scenario: Scenario, stays: (person: number) => boolean): Scenario {
  return { ...scenario, edits: scenario.edits.filter(({ person }) => stays(person)) }
}

/** The last channel taken away, if nobody speaks of it; each without its limits. */
function plainerChannels(scenario: Scenario): Scenario[] {
  const { channels, edits, chores, faults } = scenario
  const last = channels.length - 1
  const spokenOf = [
    ...edits.map((edit) => ('birthday' in edit ? edit.birthday : occasionOf(edit))),
    ...chores,
    ...faults,
  ].some((one) => 'channel' in one && one.channel === last)
  const fewer = last > 0 && !spokenOf ? [{ ...scenario, channels: channels.slice(0, last) }] : []
  const freer = channels.flatMap((channel, i) =>
    (['perSecond', 'concurrency'] as const).flatMap((limit) =>
      channel[limit] === null
        ? []
        : [{ ...scenario, channels: channels.with(i, { ...channel, [limit]: null }) }],
    ),
  )
  return [...fewer, ...freer]
}

/** Engines in its place; or in order, and with a scheduler whose clock is right and that is called at the full minute. */
function plainerQueue(scenario: Scenario): Scenario[] {
  const { queue, ...engines } = scenario
  if (queue === undefined) return []
  const plain = { skewMs: 0, phaseMs: 0, inOrder: true }
  const differing = (Object.keys(plain) as (keyof typeof plain)[]).filter((key) => queue[key] !== plain[key])
  return [engines, ...differing.map((key) => ({ ...scenario, queue: { ...queue, [key]: plain[key] } }))]
}

function plainerBirthdays(scenario: Scenario): Scenario[] {
  return scenario.edits.flatMap((edit, i) => {
    if (!('birthday' in edit)) return []
    const { channel, notAfter } = edit.birthday
    const plainer: BirthdayPlan[] = []
    if (notAfter !== null) plainer.push({ channel, notAfter: null })
    if (channel !== null && channel > 0) plainer.push({ channel: channel - 1, notAfter })
    if (channel === 0) plainer.push({ channel: null, notAfter })
    return plainer.map((birthday) => ({ ...scenario, edits: scenario.edits.with(i, { ...edit, birthday }) }))
  })
}

/** What is asked of an occasion, by whoever adds or changes it. */
function occasionOf(edit: Edit): Partial<OccasionPlan> {
  if (!('occasion' in edit)) return {}
  return 'plan' in edit ? edit.plan : 'change' in edit ? edit.change : {}
}

/** What a plain occasion would have. */
const PLAIN: Partial<OccasionPlan> = {
  channel: null,
  notAfter: null,
  until: null,
  localTime: '09:00',
  leapDay: 'MARCH_1',
}

function plainerOccasions(scenario: Scenario): Scenario[] {
  return scenario.edits.flatMap((edit, i) => {
    if (edit.kind !== 'add occasion') return []
    return Object.entries(PLAIN).flatMap(([field, value]) => {
      if (edit.plan[field as keyof OccasionPlan] === value) return []
      const plainer = { ...edit, plan: { ...edit.plan, [field]: value } }
      return [{ ...scenario, edits: scenario.edits.with(i, plainer) }]
    })
  })
}

function eachLeftOut<T>(list: readonly T[]): T[][] {
  return list.map((_, i) => list.toSpliced(i, 1))
}

function halfAsLong(scenario: Scenario): Scenario[] {
  const { from, calmAt, until, edits, chores, faults, upgrades } = scenario
  const half = Math.floor((calmAt - from) / 2)
  if (half < DAY || [...edits, ...chores, ...faults, ...upgrades].some(({ at }) => at >= from + half))
    return []
  return [{ ...scenario, calmAt: from + half, until: until - (calmAt - from - half) }]
}
