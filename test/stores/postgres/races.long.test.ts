// People and occasions are edited and deleted while their events are claimed, frozen and settled on other connections.
import { describe, expect, it } from 'vitest'
import { createOccasion, pauseOccasion } from '../../../src/app/occasions/occasions.ts'
import { changeUser } from '../../../src/app/users/change.ts'
import { nextYearly } from '../../../src/domain/occasions/next-occurrence.ts'
import type { Timezone } from '../../../src/domain/time/timezone.ts'
import type { DateOfBirth } from '../../../src/domain/users/date-of-birth.ts'
import type { NewPerson } from '../../../src/ports/store.ts'
import { systemClock } from '../../../src/runtimes/shared/system-clock.ts'
import { claimAt, failed } from '../../contracts/store/steps.ts'
import { DELIVERED, newId, SERVER_ERROR, seededDice, shuffled } from '../../support/fixtures.ts'
import { until } from '../../support/until.ts'
import { countDue, query } from './support/audit.ts'
import { createDuePeople, usersAt } from './support/due-people.ts'
import { startEngines } from './support/engines.ts'
import { useStage } from './support/postgres-suite.ts'

const stage = useStage()

/** Where the hour that has come in UTC has long passed: a greeting that moves there is still due at once. */
const EAST = ['Asia/Tokyo', 'Asia/Kolkata', 'Europe/Berlin', 'Asia/Karachi']

/** So many hands work through the people in an order of their own. */
async function eachByMany(people: readonly NewPerson[], hands: number, act: (person: NewPerson) => unknown) {
  const left = shuffled(people, seededDice(people.length))
  const work = async () => {
    for (let person = left.pop(); person !== undefined; person = left.pop()) await act(person)
  }
  await Promise.all(Array.from({ length: hands }, work))
}

const settledAll = () =>
  until(
    'all settled',
    () => countDue(stage.database()),
    (due) => due === 0,
  )

type Plan = {
  userId: string
  timezone: string
  date: string
  localTime: string
  plannedIn: string
  at: number
}

/** People whose open event is not what their present zone makes of it. */
async function plannedByOldZone(): Promise<Plan[]> {
  const plans = await query<Plan>(
    stage.database(),
    `SELECT u.id AS "userId", u.timezone, u.date_of_birth AS date, o.local_time AS "localTime",
      e.timezone AS "plannedIn", (extract(epoch FROM e.target_at) * 1000)::float8 AS at
    FROM terce.users u JOIN terce.occasions o ON o.user_id = u.id JOIN terce.events e ON e.occasion_id = o.id`,
  )
  expect(plans.length).toBeGreaterThan(0)
  return plans.filter(({ timezone, date, localTime, plannedIn, at }) => {
    const rule = { date: date as DateOfBirth, timezone: timezone as Timezone, localTime }
    return plannedIn !== timezone || at !== nextYearly(rule, { notBefore: Date.now() }).instant
  })
}

describe('a person who moves while their greeting goes out', () => {
  it('is greeted next year by the new zone after any interleaving', async () => {
    const dice = seededDice(7)
    const store = await stage.open({ connections: 8 })
    for (let round = 0; round < 5; round++) {
      const { people } = await createDuePeople(store, 400)
      const answer = () => (dice() < 0.5 ? SERVER_ERROR : DELIVERED)
      const crew = await startEngines(stage, { count: 2, batchSize: 200, answer })
      const deliverAt = people[0]!.occasions[0]!.localTime
      const deps = { ...usersAt(store, 0, deliverAt), clock: systemClock }
      await eachByMany(people, 8, async ({ user }) => {
        const input = { timezone: EAST[Math.floor(dice() * EAST.length)]! }
        const result = await changeUser(deps, user.id, { input, ifVersion: null })
        expect(result.kind).toBe('changed')
      })
      await settledAll()
      await crew.stop()
      expect(crew.errors()).toEqual([])
      expect(await plannedByOldZone()).toEqual([])
    }
  })
})

/** The names of all tables that have ids in them. */
async function tablesWithIds(): Promise<string[]> {
  const tables = await query<{ name: string }>(
    stage.database(),
    `SELECT DISTINCT table_name AS name FROM information_schema.columns JOIN information_schema.tables
      USING (table_schema, table_name)
    WHERE table_schema = 'terce' AND table_type = 'BASE TABLE' AND data_type = 'uuid' ORDER BY 1`,
  )
  const names = tables.map(({ name }) => name)
  for (const name of ['users', 'occasions', 'tasks', 'events', 'settled_events', 'payloads', 'attempts'])
    expect(names).toContain(name)
  return names
}

async function rowsIn(tables: readonly string[]): Promise<Record<string, unknown>[]> {
  const rows = tables.map((name) => query(stage.database(), `SELECT * FROM terce.${name}`))
  return (await Promise.all(rows)).flat()
}

describe('a person who is deleted while their greeting goes out', () => {
  it('leaves no row behind in any table', async () => {
    const dice = seededDice(8)
    const store = await stage.open({ connections: 8 })
    const tables = await tablesWithIds()
    for (let round = 0; round < 5; round++) {
      const { people } = await createDuePeople(store, 400)
      const answer = () => (dice() < 0.7 ? SERVER_ERROR : DELIVERED)
      const crew = await startEngines(stage, { count: 2, batchSize: 200, answer })
      await eachByMany(people, 8, async ({ user }) =>
        expect(await store.deleteUser(user.id, Date.now())).toBe(true),
      )
      await crew.stop()
      expect(crew.errors()).toEqual([])
      expect(await rowsIn(tables)).toEqual([])
    }
  })
})

describe('an occasion that is removed while its greeting goes out', () => {
  it('leaves no row behind but its user', async () => {
    const dice = seededDice(9)
    const store = await stage.open({ connections: 8 })
    const tables = (await tablesWithIds()).filter((name) => name !== 'users')
    for (let round = 0; round < 3; round++) {
      const { people } = await createDuePeople(store, 300)
      const answer = () => (dice() < 0.7 ? SERVER_ERROR : DELIVERED)
      const crew = await startEngines(stage, { count: 2, batchSize: 200, answer })
      await eachByMany(people, 8, async ({ occasions }) => {
        expect(await store.removeOccasion(occasions[0]!.id, Date.now())).toBe(true)
      })
      await crew.stop()
      expect(crew.errors()).toEqual([])
      expect(await rowsIn(tables)).toEqual([])
    }
  })
})

describe('a failed greeting that is sent again while its person or its occasion goes', () => {
  it('leaves no row behind', async () => {
    const store = await stage.open({ connections: 10 })
    const tables = (await tablesWithIds()).filter((name) => name !== 'users')
    for (let round = 0; round < 5; round++) {
      const { people } = await createDuePeople(store, 100)
      const claims = await claimAt(store, Date.now())
      await store.settle(claims.map((claim) => failed(claim, 'HTTP 410', { successor: null })))
      const failures = new Map(claims.map(({ id, user }) => [user.id, id]))
      await eachByMany(people, 5, async ({ user, occasions }) => {
        const replay = { of: failures.get(user.id)!, id: newId(Date.now()), ownKey: false, at: Date.now() }
        const going =
          round % 2 === 0
            ? store.deleteUser(user.id, Date.now())
            : store.removeOccasion(occasions[0]!.id, Date.now())
        await Promise.all([store.replay([replay]), going])
      })
      expect(await rowsIn(tables)).toEqual([])
    }
  })
})

describe('people with several occasions, changed, moved, paused and deleted while their greetings go out', () => {
  it('never have two wait for each other', async () => {
    const store = await stage.open({ connections: 12 })
    const { people } = await createDuePeople(store, 100)
    const deps = { ...usersAt(store, 0, people[0]!.occasions[0]!.localTime), clock: systemClock }
    const today = new Date().toISOString().slice(0, 10)
    const daily = { type: 'STAND_UP', date: today, repeats: 'FREQ=DAILY', template: 'Up' }
    const more = new Map<string, string[]>()
    await eachByMany(people, 6, async ({ user }) => {
      const ids: string[] = []
      for (let i = 0; i < 3; i++) {
        const saved = await createOccasion(deps, user.id, daily, { dryRun: false, sendTodayNow: true })
        if (saved.kind === 'saved') ids.push(saved.occasion.id)
      }
      more.set(user.id, ids)
    })
    const idsOf = ({ user }: NewPerson) => more.get(user.id)!
    const crew = await startEngines(stage, { count: 2, batchSize: 300, answer: () => DELIVERED })
    // Everybody at everybody's rows, each hand in an order of its own, and many rows at once where that is possible.
    const move = async ({ user }: NewPerson) => {
      await changeUser(deps, user.id, { input: { timezone: 'Asia/Kolkata' }, ifVersion: null })
    }
    const pause = async (person: NewPerson) => {
      for (const id of idsOf(person)) await pauseOccasion(deps, id)
    }
    const remove = async (person: NewPerson) =>
      void (await store.removeOccasion(idsOf(person)[1]!, Date.now()))
    const replanAll = async () => {
      const page = await store.listPeople({ limit: 200, cursor: null })
      const open = page.items.flatMap(({ plans }) =>
        plans.flatMap((plan) => (plan.open === null ? [] : [{ ...plan.open, occasionId: plan.occasion.id }])),
      )
      const moves = open.map((to) => ({ eventId: to.id, version: to.version, to }))
      await store.replan(shuffled(moves, seededDice(3)), Date.now())
    }
    await Promise.all([
      eachByMany(people, 2, move),
      eachByMany(people.toReversed(), 2, pause),
      eachByMany(people.slice(30), 2, remove),
      eachByMany(people.slice(0, 20), 1, replanAll),
      eachByMany(people.slice(70), 2, async ({ user }) => void (await store.deleteUser(user.id, Date.now()))),
    ])
    await crew.stop()
    expect(crew.errors()).toEqual([])
    const orphans = await query(
      stage.database(),
      `SELECT e.id FROM terce.events e WHERE NOT EXISTS (SELECT 1 FROM terce.occasions o WHERE o.id = e.occasion_id)
        UNION ALL SELECT occasion_id FROM terce.events WHERE replay_of IS NULL GROUP BY occasion_id HAVING count(*) > 1`,
    )
    expect(orphans).toEqual([])
  })
})
