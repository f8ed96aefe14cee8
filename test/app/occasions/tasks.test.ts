// Reminders of tasks: one for each due time, never too early, never twice, never for what is done.
import { afterEach, describe, expect, it } from 'vitest'
import { replayEvent } from '../../../src/app/events/replay.ts'
import { readReminders } from '../../../src/app/occasions/reminders.ts'
import { changeTask, completeTask, createTask, removeTask } from '../../../src/app/occasions/tasks.ts'
import { changeUser } from '../../../src/app/users/change.ts'
import { createWorld, type World } from '../../engine/support/world.ts'
import { DAY, HOUR, MINUTE, SECOND, UNAVAILABLE } from '../../support/fixtures.ts'

const at = (text: string) => Date.parse(text)
const NOON = '2026-11-15T12:00:00Z'

let world: World
afterEach(() => world.close())
const pass = (ms: number) => world.passTo(world.clock.now() + ms)

type Over = { title?: string; dueAt?: string; remindBefore?: string; quietHours?: string | null }

async function begin(over: Over = {}, person: { timezone?: string } = {}) {
  world = createWorld(NOON)
  const { user } = await world.add(person)
  return { user, task: await add(user.id, over) }
}

async function add(userId: string, over: Over = {}) {
  const result = await createTask(world.users, userId, {
    title: 'Renew the passport',
    dueAt: '2026-11-20T12:00:00Z',
    ...over,
  })
  if (result.kind !== 'saved') throw new Error(JSON.stringify(result))
  return result.task
}

const nextAt = async (taskId: string) => {
  const { nextAt: next } = await readReminders(world.store, taskId)
  return next === null ? null : new Date(next).toISOString()
}
const change = (taskId: string, over: Over) => changeTask(world.users, taskId, over, null)
const sentAt = () => world.channel.sent.map((one) => new Date(one.at).toISOString())

describe('the reminder of a task', () => {
  it('goes out at the instant the task comes within its window, and marks the task', async () => {
    const { task } = await begin()
    world.start()
    expect(await nextAt(task.id)).toBe('2026-11-19T12:00:00.000Z')
    await world.passTo(at('2026-11-19T11:59:59Z'))
    expect(world.channel.sent).toEqual([])
    await world.passTo(at('2026-11-19T12:00:01Z'))
    expect(JSON.parse(world.channel.sent[0]!.body)).toMatchObject({
      type: 'TASK_REMINDER',
      message: 'Hey, Ada Lovelace "Renew the passport" is due on 2026-11-20 at 12:00',
      taskId: task.id,
      title: 'Renew the passport',
      dueAt: '2026-11-20T12:00:00.000Z',
      lateBySeconds: 0,
    })
    const { reminderSentAt } = (await world.store.findTask(task.id))!
    const { sent } = await readReminders(world.store, task.id)
    expect(sent).toMatchObject([{ at: reminderSentAt, by: 'engine-1' }])
    await pass(10 * DAY)
    expect(world.channel.sent).toHaveLength(1)
  })

  it('goes out at once when the task is inside its window already', async () => {
    await begin({ dueAt: '2026-11-15T20:00:00Z' })
    world.start()
    await world.clock.advance(SECOND)
    expect(sentAt()).toEqual(['2026-11-15T12:00:00.000Z'])
  })

  it.each([
    ['past due at its creation', '2026-11-15T11:59:59Z'],
    ['due this very instant', NOON],
  ])('is not made for a task %s', async (_, dueAt) => {
    const { task } = await begin({ dueAt })
    expect(await nextAt(task.id)).toBeNull()
  })

  it('is not made for a task that is done, and is dropped when it gets done', async () => {
    const { task } = await begin()
    expect(await completeTask(world.users, task.id)).toMatchObject({ task: { completedAt: at(NOON) } })
    expect(await nextAt(task.id)).toBeNull()
    world.start()
    await pass(10 * DAY)
    expect(world.channel.sent).toEqual([])
  })

  it('is not tried again once the task is done', async () => {
    const { task } = await begin({ dueAt: '2026-11-15T20:00:00Z' })
    const [event] = (await world.events(task.userId)).filter(({ occasionId }) => occasionId === task.id)
    world.channel.script(event!.id, UNAVAILABLE)
    world.start({}, { retryPolicy: { delaysMs: [HOUR] } })
    await world.clock.advance(MINUTE)
    await completeTask(world.users, task.id)
    await pass(2 * HOUR)
    expect(world.channel.sent).toHaveLength(1)
    expect(await world.event(event!.id)).toMatchObject({
      status: 'FAILED',
      failureCode: 'TASK_COMPLETED',
    })
    expect((await world.store.findTask(task.id))!.reminderSentAt).toBeNull()
  })

  it('is not made anew for a due time of which one failed and was sent again', async () => {
    const { task } = await begin({ remindBefore: 'P10D' })
    const [event] = (await world.events(task.userId)).filter(({ occasionId }) => occasionId === task.id)
    world.channel.script(event!.id, { kind: 'permanent', error: 'HTTP 404', statusCode: 404 })
    world.start()
    await world.clock.advance(MINUTE)
    await replayEvent(world.users, event!.id, { newKey: false })
    await world.clock.advance(MINUTE)
    expect(world.channel.sent).toHaveLength(2)
    expect(await change(task.id, { remindBefore: 'P9D' })).toMatchObject({ kind: 'saved' })
    expect(await nextAt(task.id)).toBeNull()
  })

  it('stays where it is when the date of birth is corrected', async () => {
    const { task, user } = await begin({ dueAt: '2026-11-15T20:00:00Z' })
    await pass(HOUR)
    await changeUser(world.users, user.id, { input: { dateOfBirth: '1990-03-01' }, ifVersion: null })
    expect(await nextAt(task.id)).toBe('2026-11-15T12:00:00.000Z')
  })

  it('goes with the task', async () => {
    const { task } = await begin()
    expect(await removeTask(world.users, task.id)).toBe(true)
    expect(await world.store.findTask(task.id)).toBeNull()
    world.start()
    await pass(10 * DAY)
    expect(world.channel.sent).toEqual([])
    expect(await removeTask(world.users, task.id)).toBe(false)
  })
})

describe('a task that is moved', () => {
  it('takes its reminder along while that has not gone out', async () => {
    const { task } = await begin()
    await change(task.id, { dueAt: '2026-11-25T12:00:00Z' })
    expect(await nextAt(task.id)).toBe('2026-11-24T12:00:00.000Z')
    await change(task.id, { remindBefore: 'P3D' })
    expect(await nextAt(task.id)).toBe('2026-11-22T12:00:00.000Z')
    world.start()
    await pass(20 * DAY)
    expect(sentAt()).toEqual(['2026-11-22T12:00:00.000Z'])
  })

  it('is reminded of again after its reminder, for the new time', async () => {
    const { task } = await begin()
    world.start()
    await world.passTo(at('2026-11-19T13:00:00Z'))
    await change(task.id, { dueAt: '2026-11-30T12:00:00Z' })
    await pass(20 * DAY)
    expect(sentAt()).toEqual(['2026-11-19T12:00:00.000Z', '2026-11-29T12:00:00.000Z'])
  })

  it('is never reminded of twice within 24 hours', async () => {
    const { task } = await begin()
    world.start()
    await world.passTo(at('2026-11-19T13:00:00Z'))
    await change(task.id, { dueAt: '2026-11-20T18:00:00Z' })
    expect(await nextAt(task.id)).toBe('2026-11-20T12:00:00.000Z')
    await change(task.id, { dueAt: '2026-11-20T11:00:00Z' })
    expect(await nextAt(task.id)).toBeNull()
    await pass(5 * DAY)
    expect(sentAt()).toHaveLength(1)
  })

  it('is reminded of again when it comes back to a time it was reminded of', async () => {
    const { task } = await begin()
    world.start()
    await world.passTo(at('2026-11-19T13:00:00Z'))
    await change(task.id, { dueAt: '2026-12-30T12:00:00Z' })
    await world.passTo(at('2026-12-29T13:00:00Z'))
    await change(task.id, { dueAt: '2027-01-10T12:00:00Z' })
    await change(task.id, { dueAt: '2026-12-30T12:00:00Z' })
    await change(task.id, { dueAt: '2027-01-20T12:00:00Z' })
    await pass(40 * DAY)
    expect(sentAt()).toEqual([
      '2026-11-19T12:00:00.000Z',
      '2026-12-29T12:00:00.000Z',
      '2027-01-19T12:00:00.000Z',
    ])
  })

  it('while its reminder is on the way gets another one for the new time', async () => {
    const { task } = await begin({ dueAt: '2026-11-15T20:00:00Z' })
    const [event] = (await world.events(task.userId)).filter(({ occasionId }) => occasionId === task.id)
    world.channel.script(event!.id, UNAVAILABLE)
    world.start({}, { retryPolicy: { delaysMs: [HOUR] } })
    await world.clock.advance(MINUTE)
    await change(task.id, { dueAt: '2026-11-25T12:00:00Z' })
    await pass(20 * DAY)
    expect(world.channel.sent).toHaveLength(3)
    expect(sentAt().at(-1)).toBe('2026-11-24T12:00:00.000Z')
  })
})

describe('quiet hours', () => {
  const quiet = { quietHours: '22:00-08:00' }
  const place = { timezone: 'America/Vancouver' }

  it.each([
    ['waits for the morning', 'PT24H', '2026-11-20T11:00:00Z', '2026-11-19T15:00:00.000Z'],
    [
      'comes the evening before, if morning is too late',
      'PT2H',
      '2026-11-19T14:00:00Z',
      '2026-11-19T04:59:00.000Z',
    ],
  ])('a reminder %s', async (_, remindBefore, dueAt, expected) => {
    const { task } = await begin({ dueAt, remindBefore, ...quiet }, place)
    expect(await nextAt(task.id)).toBe(expected)
  })

  it('end when they are over for the day, also where the clocks go back between', async () => {
    // It is half past one for the second time; until a quarter to two it is quiet.
    const over = { dueAt: '2026-11-01T20:00:00Z', remindBefore: 'PT13H30M', quietHours: '22:00-01:45' }
    world = createWorld('2026-10-20T12:00:00Z')
    const { user } = await world.add({ timezone: 'America/New_York' })
    const task = await add(user.id, over)
    expect(await nextAt(task.id)).toBe('2026-11-01T06:45:00.000Z')
  })

  it('move with the person', async () => {
    const { task, user } = await begin({ dueAt: '2026-11-20T11:00:00Z', ...quiet }, place)
    await changeUser(world.users, user.id, { input: { timezone: 'Asia/Tokyo' }, ifVersion: null })
    // 20:00 in Tokyo: nothing is quiet there.
    expect(await nextAt(task.id)).toBe('2026-11-19T11:00:00.000Z')
  })

  it('leave alone a reminder outside them, and one of a person who moved', async () => {
    const { task, user } = await begin({ dueAt: '2026-11-20T20:00:00Z' }, place)
    expect(await nextAt(task.id)).toBe('2026-11-19T20:00:00.000Z')
    await changeUser(world.users, user.id, { input: { timezone: 'Asia/Tokyo' }, ifVersion: null })
    expect(await nextAt(task.id)).toBe('2026-11-19T20:00:00.000Z')
  })
})

describe('the worker', () => {
  it('sends no reminder twice when it is restarted', async () => {
    await begin({ dueAt: '2026-11-15T20:00:00Z' })
    for (let runs = 0; runs < 3; runs++) {
      const engine = world.start({ ...{}, workerId: `run-${runs}` })
      await pass(HOUR)
      const stopped = engine.stop()
      await world.clock.advance(MINUTE)
      await stopped
    }
    expect(world.channel.sent).toHaveLength(1)
  })

  it('shares the reminders with another, each sent once', async () => {
    const { user } = await begin({ dueAt: '2026-11-15T20:00:00Z' })
    for (let i = 0; i < 40; i++) await add(user.id, { dueAt: '2026-11-15T20:00:00Z', title: `Task ${i}` })
    world.start({ ...{}, workerId: 'one', batchSize: 5 })
    world.start({ ...{}, workerId: 'two', batchSize: 5 })
    await world.clock.advance(MINUTE)
    expect(world.channel.sent).toHaveLength(41)
    expect(new Set(world.channel.sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(41)
  })

  it('reminds of a task that was created and fell due between two runs while there is time', async () => {
    const { user } = await begin()
    const early = await add(user.id, { dueAt: '2026-11-15T13:00:00Z', remindBefore: 'PT30M' })
    await world.passTo(at('2026-11-15T12:45:00Z'))
    world.start()
    await world.clock.advance(SECOND)
    expect(sentAt()).toEqual(['2026-11-15T12:45:00.000Z'])
    expect((await world.store.findTask(early.id))!.reminderSentAt).not.toBeNull()
  })
})

describe('a bad task', () => {
  it.each([
    [{ title: ' ' }, 'title INVALID_TITLE'],
    [{ dueAt: 'tomorrow' }, 'dueAt INVALID_INSTANT'],
    [{ dueAt: '2026-11-20T12:00:00' }, 'dueAt INVALID_INSTANT'],
    [{ remindBefore: '24 hours' }, 'remindBefore INVALID_DURATION'],
    [{ remindBefore: 'PT0S' }, 'remindBefore INVALID_DURATION'],
    [{ quietHours: 'night' }, 'quietHours INVALID_TIME'],
  ])('is refused and not stored: %j', async (over, expected) => {
    world = createWorld(NOON)
    const { user } = await world.add()
    const input = { title: 'x', dueAt: '2026-11-20T12:00:00Z', ...over }
    const result = await createTask(world.users, user.id, input)
    const problems = result.kind === 'invalid' ? result.problems : []
    expect(problems.map(({ field, code }) => `${field} ${code}`)).toEqual([expected])
    expect((await world.store.listTasks({ limit: 10, cursor: null })).items).toEqual([])
  })
})
