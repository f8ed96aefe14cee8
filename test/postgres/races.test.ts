// People are edited and deleted while their events are claimed, frozen and settled on other connections.
import { describe, expect, it } from 'vitest'
import type { DateOfBirth } from '../../src/domain/date-of-birth.ts'
import { nextYearly } from '../../src/domain/next-occurrence.ts'
import type { Timezone } from '../../src/domain/timezone.ts'
import { changeUser } from '../../src/flow/users.ts'
import type { NewPerson } from '../../src/ports/store.ts'
import { systemClock } from '../../src/runtimes/database.ts'
import { DELIVERED, seededDice, shuffled, UNAVAILABLE } from '../fixtures.ts'
import { countDue, query } from './audit.ts'
import { createDuePeople, usersAt } from './due-people.ts'
import { startEngines } from './engines.ts'
import { useStage } from './stage.ts'
import { until } from './until.ts'

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
    FROM users u JOIN occasions o ON o.user_id = u.id JOIN events e ON e.occasion_id = o.id`,
  )
  expect(plans.length).toBeGreaterThan(0)
  return plans.filter(({ timezone, date, localTime, plannedIn, at }) => {
    const rule = { date: date as DateOfBirth, timezone: timezone as Timezone, localTime }
    return plannedIn !== timezone || at !== nextYearly(rule, { notBefore: Date.now() }).instant
  })
}

describe('a person who moves while their greeting goes out', () => {
  it('is greeted next year by the new zone, whatever came between', async () => {
    const dice = seededDice(7)
    const store = await stage.open({ connections: 8 })
    for (let round = 0; round < 5; round++) {
      const { people } = await createDuePeople(store, 400)
      const answer = () => (dice() < 0.5 ? UNAVAILABLE : DELIVERED)
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
      expect(crew.trouble()).toEqual([])
      expect(await plannedByOldZone()).toEqual([])
    }
  })
})

describe('a person who is deleted while their greeting goes out', () => {
  it('leaves no row behind in any table', async () => {
    const dice = seededDice(8)
    const store = await stage.open({ connections: 8 })
    const tables = await query<{ name: string }>(
      stage.database(),
      `SELECT DISTINCT table_name AS name FROM information_schema.columns JOIN information_schema.tables
        USING (table_schema, table_name)
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND data_type = 'uuid' ORDER BY 1`,
    )
    expect(tables.map(({ name }) => name)).toContain('attempts')
    for (let round = 0; round < 5; round++) {
      const { people } = await createDuePeople(store, 400)
      const answer = () => (dice() < 0.7 ? UNAVAILABLE : DELIVERED)
      const crew = await startEngines(stage, { count: 2, batchSize: 200, answer })
      await eachByMany(people, 8, async ({ user }) => expect(await store.deleteUser(user.id)).toBe(true))
      await crew.stop()
      expect(crew.trouble()).toEqual([])
      const left: Record<string, unknown>[] = []
      for (const { name } of tables) left.push(...(await query(stage.database(), `SELECT * FROM ${name}`)))
      expect(left).toEqual([])
    }
  })
})
