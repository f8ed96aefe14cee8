// Concurrent writers change one user: one of them wins, and the result is consistent.
import { describe, expect } from 'vitest'
import type { AppDeps } from '../../../src/app/app-deps.ts'
import {
  changeOccasion,
  createOccasion,
  pauseOccasion,
  resumeOccasion,
} from '../../../src/app/occasions/occasions.ts'
import { changeTask, createTask } from '../../../src/app/tasks/tasks.ts'
import { changeUser } from '../../../src/app/users/change.ts'
import { createPeople, preparePerson } from '../../../src/app/users/create.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import { planReplan, planSuccessor } from '../../../src/engine/plan.ts'
import type { Claim } from '../../../src/ports/claim.ts'
import type { Store } from '../../../src/ports/store.ts'
import { clockAt, DAY, HOUR, newId, T0 } from '../../support/fixtures.ts'
import type { StoreIt } from '../store.contract.ts'
import { claimAt, delivered, eventsOf, refOf } from './steps.ts'

const ROUNDS = 6
const ZONES = ['Asia/Tokyo', 'America/New_York', 'Pacific/Chatham', 'Etc/UTC']

/** Time passes with every look at the clock, so that leases run out and events fall due meanwhile. */
function createWriters() {
  let now = T0
  const planner = { ids: newId, table: tzdb }
  const clock = clockAt(() => {
    now += HOUR
    return now
  })
  const depsOf = (store: Store): AppDeps<Store> => {
    return { store, planner, clock, telemetry() {}, deliverAt: '09:00', onPlanned() {} }
  }

  function end(claim: Claim) {
    const at = clock.now()
    const successor = planSuccessor(planner, claim, { now: at, delivered: true })
    return delivered(claim, { at, successor, reminded: claim.task?.id ?? null })
  }

  async function deliverDue(store: Store, by: string): Promise<number> {
    let claims = await claimAt(store, clock.now(), { by })
    const claimed = claims.length
    while (claims.length > 0) {
      const { replan } = await store.settle(claims.map(end))
      claims = await store.readClaims(claims.filter(({ id }) => replan.includes(id)).map(refOf))
    }
    return claimed
  }
  return { planner, clock, depsOf, deliverDue }
}

async function times(act: (round: number) => Promise<unknown>): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) await act(round)
}

/** What the flow answers when it got its way. */
async function done(result: Promise<{ kind: string }>): Promise<void> {
  expect(['saved', 'changed']).toContain((await result).kind)
}

export function describeConcurrentChanges(it: StoreIt): void {
  describe('concurrent changes of one person', () => {
    it('leave one open event for each occasion that is not paused, planned by the current state', async (store, {
      another,
    }) => {
      const { planner, clock, depsOf, deliverDue } = createWriters()
      const [here, there] = [depsOf(store), depsOf(await another())]
      const input = { firstName: 'Ada', lastName: 'L', dateOfBirth: '1990-06-02', timezone: 'Etc/UTC' }
      const person = preparePerson(here, input)
      if (!person.ok) throw new Error('Ada is not valid.')
      await createPeople(here, [person.value])
      const userId = person.value.user.id
      const rule = { type: 'STAND_UP', date: '2020-06-01', repeats: 'FREQ=DAILY', template: 'Up' }
      const how = { dryRun: false, sendTodayNow: false, ifVersion: null }
      const daily = await createOccasion(here, userId, rule, how)
      const task = await createTask(here, userId, { title: 'Pack', dueAt: '2020-06-05T00:00:00Z' })
      if (daily.kind !== 'saved' || task.kind !== 'saved') throw new Error('Not saved.')
      const { id } = daily.occasion

      const move = (round: number) => ({ input: { timezone: ZONES[round % 4]! }, ifVersion: null })
      const born = (round: number) => ({ input: { dateOfBirth: `1990-06-0${1 + round}` }, ifVersion: null })
      const dueSoon = () => ({ dueAt: new Date(clock.now() + 2 * DAY).toISOString() })
      let changing = true
      const changes = Promise.all([
        times((round) => done(changeUser(here, userId, move(round)))),
        times((round) => done(changeUser(there, userId, born(round)))),
        times((round) => done(changeOccasion(there, id, { localTime: `1${round}:30` }, how))),
        times((round) => done(round % 2 === 0 ? pauseOccasion(here, id) : resumeOccasion(there, id))),
        times(() => done(changeTask(here, task.task.id, dueSoon(), null))),
      ]).finally(() => {
        changing = false
      })
      const work = async (at: Store, by: string) => {
        let claimed = 0
        while (changing) claimed += await deliverDue(at, by)
        return claimed
      }
      const claimed = await Promise.all([work(store, 'worker-1'), work(there.store, 'worker-2')])
      await changes
      expect(claimed[0]! + claimed[1]!).toBeGreaterThan(0)

      const { user, plans } = (await store.readPerson(userId))!
      const events = await eventsOf(store, userId)
      const open = events.filter(({ wakeAt }) => wakeAt !== null)
      const countOf = (occasionId: string) => open.filter((event) => event.occasionId === occasionId).length
      expect(plans).toHaveLength(3)
      expect(countOf(person.value.occasions[0]!.id)).toBe(1)
      expect(countOf(id), 'resumed last').toBe(1)
      expect(countOf(task.task.id)).toBeLessThanOrEqual(1)
      for (const plan of plans) {
        if (plan.open?.status !== 'PENDING') continue
        expect(plan.open.timezone).toBe(user.timezone)
        const right = planReplan(planner, plan, user, clock.now())
        if (right !== null) expect(plan.open.targetAt).toBe(right.to!.targetAt)
      }
      const names = events.map(({ occasionId, occurrence }) => `${occasionId} ${occurrence}`)
      expect(new Set(names).size).toBe(names.length)
      const reminded = events.filter(
        ({ eventType, status }) => eventType === 'TASK_REMINDER' && status === 'COMPLETED',
      )
      const { reminderSentAt } = (await store.findTask(task.task.id))!
      expect(reminderSentAt).toBe(reminded.at(-1)?.executedAt ?? null)
    })
  })
}
