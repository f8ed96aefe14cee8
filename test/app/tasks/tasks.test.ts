// Reminders of tasks: one for each due time, never too early, never twice, never for a completed task.
import { afterEach, describe, expect, it } from 'vitest'
import { replayEvent } from '../../../src/app/events/replay.ts'
import { readReminders } from '../../../src/app/tasks/reminders.ts'
import { changeTask, completeTask, createTask, removeTask } from '../../../src/app/tasks/tasks.ts'
import { changeUser } from '../../../src/app/users/change.ts'
import { createWorld, type World } from '../../engine/support/world.ts'
import { DAY, HOUR, MINUTE, SECOND, SERVER_ERROR } from '../../support/fixtures.ts'

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
  const result = await createTask(world.app, userId, {
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
/** The event of its reminder. */
async function eventOf({ id, userId }: { id: string; userId: string }) {
  return (await world.events(userId)).find(({ occasionId }) => occasionId === id)!
}
const change = (taskId: string, over: Over) => changeTask(world.app, taskId, over, null)
const sentAt = () => world.channel.sent.map((one) => new Date(one.at).toISOString())

describe('the reminder of a task', () => {
  it('is sent when the window before the due time begins, and is recorded on the task', async () => {
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
      occasionId: task.id,
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

  it('names the due time by the clock of the due date when the clocks change after the reminder', async () => {
    world = createWorld('2028-03-10T12:00:00Z')
    const { user } = await world.add({ timezone: 'America/New_York' })
    await add(user.id, { title: 'Call', dueAt: '2028-03-12T13:00:00Z', remindBefore: 'PT23H' })
    world.start()
    await world.passTo(at('2028-03-11T14:00:01Z'))
    expect(JSON.parse(world.channel.sent[0]!.body).message).toContain('"Call" is due on 2028-03-12 at 09:00')
  })

  it('is sent at once if the window has already begun', async () => {
    await begin({ dueAt: '2026-11-15T20:00:00Z' })
    world.start()
    await world.clock.advance(SECOND)
    expect(sentAt()).toEqual(['2026-11-15T12:00:00.000Z'])
  })

  it.each([
    ['a second ago', '2026-11-15T11:59:59Z'],
    ['now', NOON],
  ])('is not planned for a new task that was due %s', async (_, dueAt) => {
    const { task } = await begin({ dueAt })
    expect(await nextAt(task.id)).toBeNull()
  })

  it('is deleted when the task is completed', async () => {
    const { task } = await begin()
    expect(await completeTask(world.app, task.id)).toMatchObject({ task: { completedAt: at(NOON) } })
    expect(await nextAt(task.id)).toBeNull()
    world.start()
    await pass(10 * DAY)
    expect(world.channel.sent).toEqual([])
  })

  it('is not retried after the task is completed', async () => {
    const { task } = await begin({ dueAt: '2026-11-15T20:00:00Z' })
    const event = await eventOf(task)
    world.channel.script(event.id, SERVER_ERROR)
    world.start({}, { retryPolicy: { delaysMs: [HOUR] } })
    await world.clock.advance(MINUTE)
    await completeTask(world.app, task.id)
    await pass(2 * HOUR)
    expect(world.channel.sent).toHaveLength(1)
    expect(await world.event(event.id)).toMatchObject({
      status: 'FAILED',
      failureCode: 'TASK_COMPLETED',
    })
    expect((await world.store.findTask(task.id))!.reminderSentAt).toBeNull()
  })

  describe('whose retries are used up', () => {
    /** A task due at 20:00, or as `over` says, whose reminder fails with 500 `failures` times. */
    async function failing(failures: number, over: Over = {}, { retries = [SECOND], dice = 0.5 } = {}) {
      const { task } = await begin({ dueAt: '2026-11-15T20:00:00Z', ...over })
      const event = await eventOf(task)
      world.channel.script(event.id, ...Array.from({ length: failures }, () => SERVER_ERROR))
      world.start({}, { retryPolicy: { delaysMs: retries }, dice: () => dice })
      return { task, event: () => world.event(event.id) }
    }

    it('is tried again hourly with the same body while its task is ahead', async () => {
      const { task, event } = await failing(4)
      await world.clock.advance(MINUTE)
      await change(task.id, { title: 'Another title' })
      await pass(5 * HOUR)
      expect(sentAt().map((one) => one.slice(11, 16))).toEqual(['12:00', '12:00', '13:15', '14:30', '15:45'])
      expect(new Set(world.channel.sent.map(({ body }) => body)).size).toBe(1)
      expect(await event()).toMatchObject({ status: 'COMPLETED', retryCount: 4 })
    })

    it('is tried at the due time at the latest, and FAILED after that', async () => {
      const { event } = await failing(100, { dueAt: '2026-11-15T16:20:00Z' }, { dice: 1 })
      await pass(2 * DAY)
      const tries = ['12:00', '12:00', '13:30', '15:00', '16:20']
      expect(sentAt().map((one) => one.slice(11, 16))).toEqual(tries)
      expect(await event()).toMatchObject({ status: 'FAILED', failureCode: 'RETRIES_EXHAUSTED' })
    })

    it('is not tried in the quiet hours of its task', async () => {
      const over = { dueAt: '2026-11-16T12:00:00Z', remindBefore: 'PT24H', quietHours: '13:00-08:00' }
      await failing(2, over)
      await pass(DAY)
      expect(sentAt().at(-1)).toBe('2026-11-16T08:00:00.000Z')
    })

    it('is FAILED after one attempt with RETRY=none', async () => {
      const { event } = await failing(1, {}, { retries: [] })
      await pass(2 * HOUR)
      expect(await event()).toMatchObject({ status: 'FAILED' })
    })

    it.each([
      ['rejected with HTTP 404', { kind: 'permanent', error: 'HTTP 404', statusCode: 404 }, 'COMPLETED'],
      ['rejected with HTTP 410', { kind: 'permanent', error: 'HTTP 410', statusCode: 410 }, 'FAILED'],
      ['rejected by a mail server', { kind: 'permanent', error: 'SMTP 550', statusCode: 550 }, 'FAILED'],
    ] as const)('and that was %s is tried again if that can be corrected', async (_, result, status) => {
      const { task } = await begin({ dueAt: '2026-11-15T20:00:00Z' })
      const { id } = await eventOf(task)
      world.channel.script(id, result)
      world.start()
      await pass(2 * HOUR)
      expect(await world.event(id)).toMatchObject({ status })
    })

    it('and whose text cannot be rendered is sent after the text was corrected', async () => {
      const { task } = await begin({ dueAt: '2026-11-15T20:00:00Z' })
      const text = { subject: null, body: '{{ title | shout }}' }
      const key = { type: 'TASK_REMINDER', language: '' }
      await world.store.saveTemplate({ ...key, ...text, version: 1, createdAt: 0, updatedAt: 0 })
      world.start()
      await pass(MINUTE)
      const { id } = await eventOf(task)
      expect(await world.event(id)).toMatchObject({ status: 'PROCESSING', retryCount: 1 })
      await world.store.removeTemplate(key)
      await pass(2 * HOUR)
      expect(await world.event(id)).toMatchObject({ status: 'COMPLETED' })
      expect(world.channel.sent).toHaveLength(1)
    })

    it('makes room for the reminder of a new due time', async () => {
      const { task } = await failing(3)
      await world.clock.advance(MINUTE)
      await change(task.id, { dueAt: '2026-11-25T12:00:00Z', remindBefore: 'P1D' })
      await pass(2 * HOUR)
      expect(await nextAt(task.id)).toBe('2026-11-24T12:00:00.000Z')
    })
  })

  it('is not planned again for a due time whose failed reminder was replayed', async () => {
    const { task } = await begin({ remindBefore: 'P10D' })
    const event = await eventOf(task)
    world.channel.script(event.id, { kind: 'permanent', error: 'SMTP 550', statusCode: 550 })
    world.start()
    await world.clock.advance(MINUTE)
    await replayEvent(world.app, event.id, { newKey: false })
    await world.clock.advance(MINUTE)
    expect(world.channel.sent).toHaveLength(2)
    expect(await change(task.id, { remindBefore: 'P9D' })).toMatchObject({ kind: 'saved' })
    expect(await nextAt(task.id)).toBeNull()
  })

  it('keeps its instant when the date of birth is corrected', async () => {
    const { task, user } = await begin({ dueAt: '2026-11-15T20:00:00Z' })
    await pass(HOUR)
    await changeUser(world.app, user.id, { input: { dateOfBirth: '1990-03-01' }, ifVersion: null })
    expect(await nextAt(task.id)).toBe('2026-11-15T12:00:00.000Z')
  })

  it('is deleted with the task', async () => {
    const { task } = await begin()
    expect(await removeTask(world.app, task.id)).toBe(true)
    expect(await world.store.findTask(task.id)).toBeNull()
    world.start()
    await pass(10 * DAY)
    expect(world.channel.sent).toEqual([])
    expect(await removeTask(world.app, task.id)).toBe(false)
  })
})

describe('changing the due time of a task', () => {
  it('moves a pending reminder', async () => {
    const { task } = await begin()
    await change(task.id, { dueAt: '2026-11-25T12:00:00Z' })
    expect(await nextAt(task.id)).toBe('2026-11-24T12:00:00.000Z')
    await change(task.id, { remindBefore: 'P3D' })
    expect(await nextAt(task.id)).toBe('2026-11-22T12:00:00.000Z')
    world.start()
    await pass(20 * DAY)
    expect(sentAt()).toEqual(['2026-11-22T12:00:00.000Z'])
  })

  it('after its reminder was sent plans another reminder for the new time', async () => {
    const { task } = await begin()
    world.start()
    await world.passTo(at('2026-11-19T13:00:00Z'))
    await change(task.id, { dueAt: '2026-11-30T12:00:00Z' })
    await pass(20 * DAY)
    expect(sentAt()).toEqual(['2026-11-19T12:00:00.000Z', '2026-11-29T12:00:00.000Z'])
  })

  it('never causes two reminders within 24 hours', async () => {
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

  it('back to an earlier value and on again plans one reminder for each new time', async () => {
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

  it('while its reminder is in flight plans another reminder for the new time', async () => {
    const { task } = await begin({ dueAt: '2026-11-15T20:00:00Z' })
    const event = await eventOf(task)
    world.channel.script(event.id, SERVER_ERROR)
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
    ['until the morning', 'PT24H', '2026-11-20T11:00:00Z', '2026-11-19T15:00:00.000Z'],
    [
      'to the evening before if the morning is too late',
      'PT2H',
      '2026-11-19T14:00:00Z',
      '2026-11-19T04:59:00.000Z',
    ],
  ])('move a reminder %s', async (_, remindBefore, dueAt, expected) => {
    const { task } = await begin({ dueAt, remindBefore, ...quiet }, place)
    expect(await nextAt(task.id)).toBe(expected)
  })

  it('end at their last occurrence of the day when the clocks go back', async () => {
    // The reminder would be due at the second 01:30 of the day; quiet hours last until the second 01:45.
    const over = { dueAt: '2026-11-01T20:00:00Z', remindBefore: 'PT13H30M', quietHours: '22:00-01:45' }
    world = createWorld('2026-10-20T12:00:00Z')
    const { user } = await world.add({ timezone: 'America/New_York' })
    const task = await add(user.id, over)
    expect(await nextAt(task.id)).toBe('2026-11-01T06:45:00.000Z')
  })

  it('follow the timezone of a person who moves', async () => {
    const { task, user } = await begin({ dueAt: '2026-11-20T11:00:00Z', ...quiet }, place)
    await changeUser(world.app, user.id, { input: { timezone: 'Asia/Tokyo' }, ifVersion: null })
    // 20:00 in Tokyo, outside of quiet hours.
    expect(await nextAt(task.id)).toBe('2026-11-19T11:00:00.000Z')
  })

  it('if not set, leave the instant of a reminder when the person moves, and the text has the new local time', async () => {
    const { user } = await begin({}, { timezone: 'America/New_York' })
    await changeUser(world.app, user.id, { input: { timezone: 'Asia/Tokyo' }, ifVersion: null })
    world.start()
    await world.passTo(at('2026-11-19T12:00:01Z'))
    expect(JSON.parse(world.channel.sent[0]!.body)).toMatchObject({
      message: expect.stringContaining('is due on 2026-11-20 at 21:00'),
      timezone: 'Asia/Tokyo',
      targetTimestampLocal: '2026-11-19T21:00:00+09:00',
    })
  })
})

describe('the engine', () => {
  it('sends a reminder that fell due while no engine ran, if the task is not due yet', async () => {
    const { user } = await begin()
    const early = await add(user.id, { dueAt: '2026-11-15T13:00:00Z', remindBefore: 'PT30M' })
    await world.passTo(at('2026-11-15T12:45:00Z'))
    world.start()
    await world.clock.advance(SECOND)
    expect(sentAt()).toEqual(['2026-11-15T12:45:00.000Z'])
    expect((await world.store.findTask(early.id))!.reminderSentAt).not.toBeNull()
  })
})

describe('an invalid task', () => {
  it.each([
    [{ title: ' ' }, 'title INVALID_TITLE'],
    [{ dueAt: 'tomorrow' }, 'dueAt INVALID_INSTANT'],
    [{ dueAt: '2026-11-20T12:00:00' }, 'dueAt INVALID_INSTANT'],
    [{ remindBefore: '24 hours' }, 'remindBefore INVALID_DURATION'],
    [{ remindBefore: 'PT0S' }, 'remindBefore INVALID_DURATION'],
    [{ quietHours: 'night' }, 'quietHours INVALID_TIME'],
  ])('is rejected and not stored: %j', async (over, expected) => {
    world = createWorld(NOON)
    const { user } = await world.add()
    const input = { title: 'x', dueAt: '2026-11-20T12:00:00Z', ...over }
    const result = await createTask(world.app, user.id, input)
    const problems = result.kind === 'invalid' ? result.problems : []
    expect(problems.map(({ field, code }) => `${field} ${code}`)).toEqual([expected])
    expect((await world.store.listTasks({ limit: 10, cursor: null })).items).toEqual([])
  })
})
