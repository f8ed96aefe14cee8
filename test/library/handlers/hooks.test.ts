// What an application is told of the attempts of its handlers, and where the log lines go.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { type EventOf, PermanentError, RetryLater } from '../../../src/library/handlers/handler.ts'
import { reportTo } from '../../../src/library/handlers/hooks.ts'
import type { TerceOptions } from '../../../src/library/library.ts'
import { createTerce } from '../../../src/library/terce.ts'
import { createTestTerce, type InMemoryOptions } from '../../../src/library/testing/testing.ts'
import { until } from '../../support/until.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const ada = { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1992-02-28', timezone: 'UTC' }

/** A birthday that this handler gets, under the hooks. Returns the event after the moves of the clock. */
async function greeted(hooks: InMemoryOptions, handler: (attempt: number) => unknown) {
  const terce = await createTestTerce({ now: '2027-02-28T08:00:00Z', settings: { RETRY: 'quick' }, ...hooks })
  cleanups.push(() => terce.stop())
  terce.on('BIRTHDAY', (_, { attempt }) => handler(attempt))
  await terce.users.create(ada)
  await terce.clock.advanceTo('2027-02-28T10:00:00Z')
  for await (const event of terce.events.list()) if (event.status !== 'PENDING') return event
}

/** A running Terce on a file, whose handler throws a card error. */
async function failing(options: Partial<TerceOptions>, done: () => boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'terce-hooks-'))
  cleanups.push(() => rmSync(folder, { recursive: true }))
  const settings = { RETRY: 'none', DELIVER_AT: '00:00', ...options.settings }
  const terce = createTerce({ database: join(folder, 'app.db'), ...options, settings })
  cleanups.push(() => terce.stop())
  terce.on('BIRTHDAY', () => {
    throw new TypeError('card declined')
  })
  await terce.start()
  const dateOfBirth = `1992-${new Date().toISOString().slice(5, 10)}`
  await terce.users.create({ ...ada, dateOfBirth, sendTodayNow: true })
  await until('the failure is reported', done, (isDone) => isDone, 20_000)
}

it('onError gets the error itself and whether the event is tried again, onCompleted the end', async () => {
  const seen: unknown[] = []
  const errors = [new TypeError('card declined'), 'no error at all']
  const event = await greeted(
    {
      onError: (error, { event, attempt, willRetry }) => seen.push([error, event.type, attempt, willRetry]),
      onCompleted: ({ event, attempt }) => seen.push([event.type, attempt]),
    },
    (attempt) => {
      if (attempt <= errors.length) throw errors[attempt - 1]
    },
  )
  expect(seen).toEqual([
    [errors[0], 'BIRTHDAY', 1, true],
    [errors[1], 'BIRTHDAY', 2, true],
    ['BIRTHDAY', 3],
  ])
  expect(seen[0]).toHaveProperty('0.stack', expect.stringContaining('card declined'))
  expect(event).toMatchObject({ status: 'COMPLETED' })
})

it('onError never says that an event that was deleted with its person is tried again', async () => {
  const said: boolean[] = []
  const hooks = { onError: (_: unknown, { willRetry }: { willRetry: boolean }) => said.push(willRetry) }
  const attempt = { event: {} as EventOf<string>, attempt: 1, eventId: 'replay' }
  const found = [async () => true, async () => false, async () => Promise.reject(new Error('down'))]
  for (const exists of found) reportTo(hooks, () => {}, exists)('retry', attempt)
  await until(
    'each attempt is reported',
    () => said.length,
    (count) => count === 3,
  )
  expect(said.toSorted()).toEqual([false, true, true])
})

it('a handler of a type without a text that throws RetryLater is called again after the time that it asked for', async () => {
  const terce = await createTestTerce({ now: '2027-02-28T08:00:00Z', settings: { RETRY: 'quick' } })
  cleanups.push(() => terce.stop())
  terce.on('TRIAL_ENDS', (_, { attempt }) => {
    if (attempt === 1) throw new RetryLater(20 * 60_000)
  })
  const { user } = await terce.users.create(ada)
  await terce.occasions.create(user.id, { type: 'TRIAL_ENDS', date: '2027-02-28', repeats: 'ONCE' })
  await terce.clock.advanceTo('2027-02-28T10:00:00Z')
  expect(terce.deliveries).toMatchObject([{ at: '2027-02-28T09:20:00.000Z', body: { message: '' } }])
})

it('a time to try again that is no number of milliseconds from 0 is a TypeError', () => {
  for (const ms of [Number.NaN, -1]) expect(() => new RetryLater(ms)).toThrow(TypeError)
})

it('stores the class of an error, and the text of a PermanentError alone', async () => {
  const reasonOf = async (error: Error) =>
    (
      await greeted({ settings: { RETRY: 'none' } }, () => {
        throw error
      })
    )?.failureReason
  expect(await reasonOf(new TypeError('card of Ada declined'))).toBe(
    'RETRIES_EXHAUSTED: 1 attempt, the last: HANDLER_ERROR: TypeError',
  )
  const text = `No such member\0\n${'x'.repeat(1_000)}`
  const stored = `HANDLER_ERROR: PermanentError: No such member ${'x'.repeat(1_000)}`
  expect(await reasonOf(new PermanentError(text))).toBe(
    stored.slice(0, 'HANDLER_ERROR: PermanentError: '.length + 500),
  )
})

it('a hook that throws, rejects or never ends holds up no delivery', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  cleanups.push(() => printed.mockRestore())
  const broken = new Error('hook broke')
  const hooks: InMemoryOptions[] = [
    { onCompleted: () => Promise.reject(broken), onError: () => new Promise(() => {}) },
    {
      onError() {
        throw broken
      },
    },
  ]
  for (const own of hooks) {
    const event = await greeted({ ...own, settings: { RETRY: 'quick', LOG_LEVEL: 'error' } }, (attempt) => {
      if (attempt === 1) throw new Error('not yet')
    })
    expect(event).toMatchObject({ status: 'COMPLETED', retryCount: 1 })
  }
  expect(printed.mock.calls.map(([, , error]) => error)).toEqual([broken, broken])
})

it('without hooks, the error of a handler is printed with its stack', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  cleanups.push(() => printed.mockRestore())
  await failing({ settings: { LOG_LEVEL: 'error' } }, () => printed.mock.calls.length > 0)
  expect(printed.mock.calls).toEqual([
    [
      'Terce: A handler failed',
      { eventId: expect.any(String), attempt: 1, willRetry: false },
      expect.objectContaining({ message: 'card declined', stack: expect.stringContaining('hooks.test.ts') }),
    ],
  ])
}, 30_000)

it('a logger gets the log lines, and the error of a handler', async () => {
  const lines: [level: string, fields: object, message: string][] = []
  const line = (level: string) => (fields: object, message: string) =>
    void lines.push([level, fields, message])
  const logger = { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') }
  await failing({ logger, settings: { LOG_LEVEL: 'info' } }, () =>
    lines.some(([, fields]) => 'err' in fields),
  )
  expect(lines).toContainEqual([
    'info',
    expect.objectContaining({ runId: expect.any(String) }),
    'Worker started',
  ])
  expect(lines).toContainEqual([
    'error',
    { err: expect.any(TypeError), eventId: expect.any(String), attempt: 1, willRetry: false },
    'A handler failed',
  ])
}, 30_000)

it('on() rejects a name that no event has, such as the error event of an emitter', async () => {
  const terce = await createTestTerce()
  cleanups.push(() => terce.stop())
  expect(() => terce.on('error', () => {})).toThrow('onError')
})
