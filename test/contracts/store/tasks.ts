// Tasks live with the occasion that reminds of them: saved with it, claimed with it, gone with it.

import { describe, expect } from 'vitest'
import type { Task } from '../../../src/domain/tasks/task.ts'
import type { Claim } from '../../../src/ports/claim.ts'
import type { TaskQuery } from '../../../src/ports/query.ts'
import type { NewPerson, Store } from '../../../src/ports/store.ts'
import { DAY, HOUR, makePerson, makePlanned, makeTask, newId, T0 } from '../../support/fixtures.ts'
import type { StoreIt } from '../store.contract.ts'
import {
  allPages,
  claimAt,
  create,
  delivered,
  eventOf,
  failed,
  idsOf,
  LEASE,
  refOf,
  retry,
  sorted,
} from './steps.ts'

type Reminded = { person: NewPerson; task: Task; eventId: string }

/** A task of a person who is there, its reminder due at the instant; null for one that has none. */
async function addTask(
  store: Store,
  person: NewPerson,
  over: Partial<Task> = {},
  remindAt: number | null = T0,
): Promise<Reminded> {
  const { occasion, task } = makeTask(person.user, over)
  const planned = remindAt === null ? null : makePlanned(occasion, person.user, remindAt)
  const event = planned && { ...planned, occurrence: `due-${task.dueRevision}` }
  const save = { occasion, task, userVersion: 1, open: { kind: 'insert' as const, event }, at: T0 - DAY }
  expect(await store.saveOccasion(save)).toBe('saved')
  return { person, task, eventId: event?.id ?? '' }
}

/** Somebody whose birthday is far, with a task. */
async function createTask(store: Store, over: Partial<Task> = {}, remindAt: number | null = T0) {
  const person = makePerson({ targetAt: T0 + 90 * DAY })
  await create(store, person)
  return addTask(store, person, over, remindAt)
}

/** A task as it is read: with the external id of its user. */
const owned = (task: Task, externalId: string | null = null) => ({ ...task, externalId })

const ended = (claim: Claim, over = {}) =>
  delivered(claim, { successor: null, reminded: claim.task!.id, ...over })

export function describeTasks(it: StoreIt): void {
  describe('a task', () => {
    it('comes back in every field, alone, with its occasion, and with the claim of its reminder', async (store) => {
      const full = {
        title: 'Renew "the" passport\n\\ 護照 👩‍👩‍👧‍👦',
        dueAt: T0 + 366 * DAY + 1,
        dueRevision: 7,
        remindBeforeMs: 366 * DAY,
        quietHours: '22:00-08:00',
        data: '{"form":"護照 \\u0000"}',
        completedAt: T0 - 3,
        reminderSentAt: T0 - 2,
        createdAt: T0 - 50,
        updatedAt: T0 - 1,
      }
      for (const over of [full, {}]) {
        const { person, task, eventId } = await createTask(store, over)
        expect(await store.findTask(task.id)).toEqual(owned(task))
        const { plans } = (await store.readPerson(person.user.id))!
        const ofTask = plans.find(({ occasion }) => occasion.id === task.id)
        expect(ofTask).toMatchObject({ task, occasion: { type: 'TASK_REMINDER' }, open: { id: eventId } })
        expect(plans.filter((plan) => plan.task !== null)).toHaveLength(1)
        const { timezone } = person.user
        const open = await store.listOpenPlans({ timezone, limit: 100, cursor: null })
        expect(open.items.flatMap((one) => one.plans)).toContainEqual({ ...ofTask, lastSettled: null })
        const [claim] = await claimAt(store, T0)
        expect(claim).toMatchObject({ id: eventId, eventType: 'TASK_REMINDER' })
        expect(claim!.task).toEqual(task)
        expect((await store.readClaims([refOf(claim!)]))[0]!.task).toEqual(task)
      }
      expect(await store.findTask(newId(T0))).toBeNull()
    })

    it('is none of an ordinary event, though claimed beside a reminder', async (store) => {
      const person = makePerson({ targetAt: T0 })
      await create(store, person)
      const { eventId } = await addTask(store, person)
      const claims = await claimAt(store, T0)
      expect(claims).toHaveLength(2)
      for (const { id, task } of claims) expect(task === null).toBe(id !== eventId)
    })

    it('changes with its occasion, and a claim that is read again has it as it is now', async (store) => {
      const { task, person } = await createTask(store)
      const [claim] = await claimAt(store, T0)
      const { occasion } = (await store.readPerson(person.user.id))!.plans.find((plan) => plan.task !== null)!
      const later = {
        ...task,
        title: 'Later',
        dueAt: T0 + 9 * DAY,
        dueRevision: 2,
        completedAt: T0 + 1,
        version: 2,
      }
      const open = { kind: 'keepInFlight' as const, ...refOf(claim!) }
      const save = { occasion: { ...occasion, version: 2 }, task: later, userVersion: 1, open, at: T0 }
      expect(await store.saveOccasion(save)).toBe('saved')
      expect(await store.findTask(task.id)).toEqual(owned(later))
      expect(await store.confirmClaims([refOf(claim!)])).toEqual([{ eventId: claim!.id, stopped: 'task' }])
      expect((await store.settle([ended(claim!)])).replan).toEqual([claim!.id])
      const [fresh] = await store.readClaims([refOf(claim!)])
      expect(fresh!.task).toEqual(later)
    })

    it('goes with its occasion, and with its user', async (store) => {
      const [one, two] = [await createTask(store), await createTask(store)]
      expect(await store.removeOccasion(one.task.id, T0)).toBe(true)
      expect(await store.findTask(one.task.id)).toBeNull()
      expect(await store.findTask(two.task.id)).toEqual(owned(two.task))
      await store.deleteUser(two.person.user.id, T0)
      expect(await store.findTask(two.task.id)).toBeNull()
      expect(await store.listTasks({ limit: 10, cursor: null })).toEqual({ items: [], nextCursor: null })
    })

    it('without anything to come does not keep its user from changing', async (store) => {
      const { person } = await createTask(store, { completedAt: T0 }, null)
      const second = await addTask(store, person)
      const to = { ...person.events[0]!, targetAt: T0 + 80 * DAY }
      const reminder = { ...makePlanned({ id: second.task.id }, person.user, T0 + HOUR), id: second.eventId }
      const user = { ...person.user, timezone: 'Asia/Tokyo' as never, version: 2 }
      const birthday = { eventId: to.id, version: 1, to }
      expect(await store.updateUser({ user, reschedules: [birthday] })).toBe('conflict')
      const reschedules = [birthday, { eventId: second.eventId, version: 1, to: reminder }]
      expect(await store.updateUser({ user, reschedules })).toBe('updated')
      expect(await eventOf(store, second.eventId)).toMatchObject({ version: 2, wakeAt: T0 + HOUR })
    })
  })

  describe('a reminder that was delivered', () => {
    it('is marked on its task in the transaction that settles it', async (store) => {
      const person = makePerson({ targetAt: T0 })
      await create(store, person)
      const { task, eventId } = await addTask(store, person)
      const other = await addTask(store, person)
      const claims = await claimAt(store, T0)
      expect(claims).toHaveLength(3)
      const { settled } = await store.settle(
        claims.map((claim) => (claim.task === null ? delivered(claim) : ended(claim, { at: T0 + 777 }))),
      )
      expect(sorted(settled)).toEqual(sorted(idsOf(claims)))
      expect(await store.findTask(task.id)).toEqual(owned({ ...task, reminderSentAt: T0 + 777 }))
      expect(await store.findTask(other.task.id)).toEqual(owned({ ...other.task, reminderSentAt: T0 + 777 }))
      expect((await eventOf(store, eventId)).status).toBe('COMPLETED')
    })

    it('is not marked when the settlement is rejected as stale or as planned from an old revision', async (store) => {
      const [lost, moved, fine] = [await createTask(store), await createTask(store), await createTask(store)]
      const claims = new Map((await claimAt(store, T0)).map((claim) => [claim.id, claim]))
      const of = ({ eventId }: Reminded) => claims.get(eventId)!
      await store.extendLeases([refOf(of(moved)), refOf(of(fine))], { now: T0, leaseMs: DAY })
      expect(idsOf(await claimAt(store, T0 + LEASE))).toEqual([lost.eventId])
      const user = { ...moved.person.user, version: 2 }
      const [birthday] = moved.person.events
      const reschedules = [
        { ...refOf(of(moved)), to: null },
        { eventId: birthday!.id, version: 1, to: birthday! },
      ]
      expect(await store.updateUser({ user, reschedules })).toBe('updated')
      expect(await store.settle([lost, moved, fine].map((one) => ended(of(one), { at: T0 + 5 })))).toEqual({
        settled: [fine.eventId],
        stale: [lost.eventId],
        replan: [moved.eventId],
      })
      const sentAt = async ({ task }: Reminded) => (await store.findTask(task.id))!.reminderSentAt
      expect(await Promise.all([lost, moved, fine].map(sentAt))).toEqual([null, null, T0 + 5])
      const [fresh] = await store.readClaims([refOf(of(moved))])
      await store.settle([ended(fresh!, { at: T0 + 6 })])
      expect(await sentAt(moved)).toBe(T0 + 6)
    })

    it('is not marked for an event that failed or is retried', async (store) => {
      const { task } = await createTask(store)
      const [claim] = await claimAt(store, T0)
      await store.settle([retry(claim!, T0 + HOUR)])
      const [again] = await claimAt(store, T0 + HOUR)
      await store.settle([failed(again!, 'HTTP 410', { successor: null, reminded: null })])
      expect(await store.findTask(task.id)).toEqual(owned(task))
    })

    it('stays marked when the task is saved by a caller that read it before', async (store) => {
      const { task, person } = await createTask(store)
      const [claim] = await claimAt(store, T0)
      await store.settle([failed(claim!, 'HTTP 410', { successor: null, reminded: null })])
      const seen = (await store.readPerson(person.user.id))!.plans.find((plan) => plan.task !== null)!
      await store.replay([{ of: claim!.id, id: newId(T0), ownKey: false, at: T0 + HOUR }])
      const [replay] = await claimAt(store, T0 + HOUR)
      await store.settle([ended(replay!, { at: T0 + HOUR + 5 })])
      const renamed = { ...seen.task!, title: 'Renamed', version: 2 }
      const occasion = { ...seen.occasion, version: 2 }
      const open = { kind: 'insert' as const, event: null }
      const save = { occasion, task: renamed, userVersion: 1, open, at: T0 }
      expect(await store.saveOccasion(save)).toBe('saved')
      expect(await store.findTask(task.id)).toEqual(owned({ ...renamed, reminderSentAt: T0 + HOUR + 5 }))
    })
  })

  describe('listing tasks', () => {
    it('shows each once, page by page in the order of ids, under the filters asked for', async (store) => {
      const ada = makePerson({ targetAt: T0 + DAY, externalId: 'hr-1' })
      const grace = makePerson({ targetAt: T0 + DAY })
      await create(store, ada, grace)
      const add = async (person: NewPerson, over: Partial<Task>) =>
        (await addTask(store, person, over, null)).task
      const late = await add(ada, { dueAt: T0 + 3 * DAY })
      const soon = await add(ada, { dueAt: T0 + DAY, reminderSentAt: T0 })
      const done = await add(grace, { dueAt: T0 + DAY, completedAt: T0 })
      const both = await add(grace, { dueAt: T0 + 2 * DAY, completedAt: T0, reminderSentAt: T0 })
      const listed = async (query: Partial<TaskQuery>) =>
        allPages(async (cursor) => {
          const page = await store.listTasks({ limit: 2, cursor, ...query })
          expect(page.items.length).toBeLessThanOrEqual(2)
          return page
        })
      const all = [owned(late, 'hr-1'), owned(soon, 'hr-1'), owned(done), owned(both)]
      expect(await listed({})).toEqual(all.sort((a, b) => (a.id < b.id ? -1 : 1)))
      const ids = async (query: Partial<TaskQuery>) => sorted(idsOf(await listed(query)))
      const of = (...tasks: Task[]) => sorted(idsOf(tasks))
      expect(await ids({ userId: ada.user.id })).toEqual(of(late, soon))
      expect(await ids({ dueFrom: T0 + DAY, dueBefore: T0 + 3 * DAY })).toEqual(of(soon, done, both))
      expect(await ids({ dueFrom: T0 + DAY + 1 })).toEqual(of(late, both))
      expect(await ids({ dueBefore: T0 + DAY })).toEqual([])
      expect(await ids({ reminded: true })).toEqual(of(soon, both))
      expect(await ids({ reminded: false })).toEqual(of(late, done))
      expect(await ids({ completed: true })).toEqual(of(done, both))
      expect(await ids({ completed: false })).toEqual(of(late, soon))
      expect(await ids({ completed: false, reminded: false, userId: ada.user.id })).toEqual(of(late))
      expect(await ids({ userId: newId(T0) })).toEqual([])
    })
  })
}
