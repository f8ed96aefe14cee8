// Builders and doubles for tests: people, a manual clock, seeded randomness, a scripted channel.

import type { PlannedEvent } from '../../src/domain/events/event.ts'
import { createIds } from '../../src/domain/events/uuid.ts'
import type { Occasion } from '../../src/domain/occasions/occasion.ts'
import { TASK_REMINDER, type Task } from '../../src/domain/tasks/task.ts'
import type { Timezone } from '../../src/domain/time/timezone.ts'
import type { DateOfBirth } from '../../src/domain/users/date-of-birth.ts'
import type { User } from '../../src/domain/users/user.ts'
import { seededDice } from '../../src/library/testing/seeded-dice.ts'
import type { Channel, Delivery, DeliveryResult } from '../../src/ports/channel.ts'
import type { Clock, Dice } from '../../src/ports/clock.ts'
import type { NewPerson } from '../../src/ports/store.ts'

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
export const YEAR = 365 * DAY

/** In the past, so that events are due by the real clock too: a store may compare `now` with its own clock. */
export const T0 = Date.parse('2020-06-01T09:00:00.000Z')

export { seededDice }

/** Shuffles reproducibly: equal dice give an equal order. */
export function shuffled<T>(items: readonly T[], dice: Dice): T[] {
  const mixed = [...items]
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = Math.floor(dice() * (i + 1))
    ;[mixed[i], mixed[j]] = [mixed[j]!, mixed[i]!]
  }
  return mixed
}

export const newId = createIds(seededDice(20_200_601))

export type PersonOverrides = {
  firstName?: string
  lastName?: string
  dateOfBirth?: string
  timezone?: string
  email?: string | null
  externalId?: string | null
  targetAt?: number
  occurrence?: string
  template?: string | null
}

/** A person with a birthday and its first event, due at T0 by default. Nothing is validated. */
export function makePerson(over: PersonOverrides = {}): NewPerson {
  const targetAt = over.targetAt ?? T0
  const born = T0 - 10 * DAY
  const user: User = {
    id: newId(born),
    firstName: over.firstName ?? 'Ada',
    lastName: over.lastName ?? 'Lovelace',
    dateOfBirth: (over.dateOfBirth ?? '1990-06-01') as DateOfBirth,
    timezone: (over.timezone ?? 'Etc/UTC') as Timezone,
    email: over.email ?? null,
    language: null,
    externalId: over.externalId ?? null,
    createdAt: born,
    updatedAt: born,
    version: 1,
  }
  const birthday = makeOccasion(user, { template: over.template ?? null })
  const event = makePlanned(birthday, user, targetAt)
  return {
    user,
    occasions: [birthday],
    events: [{ ...event, occurrence: over.occurrence ?? event.occurrence }],
  }
}

export function makePeople(
  count: number,
  over: (index: number) => PersonOverrides = () => ({}),
): NewPerson[] {
  return Array.from({ length: count }, (_, index) => makePerson(over(index)))
}

export function makeOccasion(user: Pick<User, 'id'>, over: Partial<Occasion> = {}): Occasion {
  return {
    id: newId(T0),
    userId: user.id,
    type: 'BIRTHDAY',
    date: null,
    localTime: '09:00',
    leapDay: 'MARCH_1',
    shiftDays: null,
    onWeekend: null,
    repeats: 'YEARLY',
    calendar: 'gregorian',
    ruleRevision: 1,
    until: null,
    pausedAt: null,
    bulkPausedAt: null,
    template: null,
    channelId: null,
    notAfter: null,
    data: null,
    version: 1,
    ...over,
  }
}

/** A task and its occasion, whose reminder is a day before the task is due. */
export function makeTask(
  user: Pick<User, 'id'>,
  over: Partial<Task> = {},
): { occasion: Occasion; task: Task } {
  const occasion = makeOccasion(user, { type: TASK_REMINDER, repeats: 'ONCE', version: over.version ?? 1 })
  const task: Task = {
    id: occasion.id,
    userId: user.id,
    title: 'Renew the passport',
    dueAt: T0 + DAY,
    dueRevision: 1,
    remindBeforeMs: DAY,
    quietHours: null,
    completedAt: null,
    data: null,
    reminderSentAt: null,
    createdAt: T0 - DAY,
    updatedAt: T0 - DAY,
    version: 1,
    ...over,
  }
  return { occasion: { ...occasion, id: task.id }, task }
}

export function makePlanned(
  occasion: Pick<Occasion, 'id'>,
  user: Pick<User, 'timezone'>,
  targetAt: number,
): PlannedEvent {
  return {
    id: newId(targetAt),
    occasionId: occasion.id,
    occurrence: String(new Date(targetAt).getUTCFullYear()),
    targetAt,
    offsetSeconds: 0,
    timezone: user.timezone,
    tzVersion: '2026f',
  }
}

/** Gives a second occasion, with its event, to a person who is not stored yet. */
export function addOccasion(person: NewPerson, over: Partial<Occasion>, targetAt: number): NewPerson {
  const occasion = makeOccasion(person.user, over)
  return {
    ...person,
    occasions: [...person.occasions, occasion],
    events: [...person.events, makePlanned(occasion, person.user, targetAt)],
  }
}

/** Time moves only when the test moves it. Timers fire in order, each after the work of the previous one has ended. */
export type TestClock = Clock & {
  /** Fires every timer up to that instant, each at its own time. */
  advanceTo(at: number): Promise<void>
  advance(ms: number): Promise<void>
  /** Jumps to that instant, as after the machine was suspended: timers in between fire late. */
  jumpTo(at: number): Promise<void>
}

/** One turn of the event loop: all pending promise callbacks have run after it. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

export function createTestClock(start: number, rest: () => Promise<void> = turn): TestClock {
  type Timer = { at: number; callback: () => void }
  let now = start
  let jumpedMs = 0
  const timers = new Set<Timer>()

  function earliest(latest: number): Timer | null {
    let found: Timer | null = null
    for (const timer of timers)
      if (timer.at <= latest && (found === null || timer.at < found.at)) found = timer
    return found
  }

  async function fireUntil(latest: number, tick: (timer: Timer) => void): Promise<void> {
    await rest()
    for (let timer = earliest(latest); timer !== null; timer = earliest(latest)) {
      timers.delete(timer)
      tick(timer)
      timer.callback()
      await rest()
    }
  }

  async function advanceTo(at: number): Promise<void> {
    await fireUntil(at, (timer) => {
      now = Math.max(now, timer.at)
    })
    now = Math.max(now, at)
    await rest()
  }

  async function jumpTo(at: number): Promise<void> {
    await rest()
    jumpedMs += at - now
    now = at
    await fireUntil(at, () => {})
  }

  return {
    now: () => now,
    elapsedMs: () => now - jumpedMs,
    after(ms, callback) {
      const timer = { at: now + Math.max(0, ms), callback }
      timers.add(timer)
      return { cancel: () => void timers.delete(timer) }
    },
    advanceTo,
    advance: (ms) => advanceTo(now + ms),
    jumpTo,
  }
}

/** A clock that shows what `now` gives; its timers never fire. */
export function clockAt(now: number | (() => number)): Clock {
  const read = typeof now === 'number' ? () => now : now
  return { now: read, elapsedMs: read, after: () => ({ cancel() {} }) }
}

export const DELIVERED: DeliveryResult = { kind: 'delivered', statusCode: 200 }
export const SERVER_ERROR: DeliveryResult = { kind: 'transient', error: 'HTTP 500', statusCode: 500 }
/** The receiver is down: the event is released. */
export const UNAVAILABLE: DeliveryResult = { kind: 'transient', error: 'HTTP 503', statusCode: 503 }
export const GONE: DeliveryResult = { kind: 'permanent', error: 'HTTP 410', statusCode: 410 }

/** One response of the receiver, or how it behaves instead of responding. */
export type Step = DeliveryResult | ((delivery: Delivery, signal: AbortSignal) => Promise<DeliveryResult>)

export type Sent = Delivery & { at: number }

export type ScriptedChannel = Channel & {
  /** All deliveries in order, with their instants. */
  sent: Sent[]
  /** The results of the next attempts at that event. After the last step every attempt is delivered. */
  script(eventId: string, ...steps: Step[]): void
}

export function createScriptedChannel(clock: Pick<Clock, 'now'>): ScriptedChannel {
  const scripts = new Map<string, Step[]>()
  const sent: Sent[] = []
  return {
    sent,
    script: (eventId, ...steps) => void scripts.set(eventId, steps),
    deliver(delivery, signal) {
      sent.push({ ...delivery, at: clock.now() })
      const step = scripts.get(delivery.eventId)?.shift() ?? DELIVERED
      return typeof step === 'function' ? step(delivery, signal) : Promise.resolve(step)
    },
    close: async () => {},
  }
}

/** A receiver that responds when the test says so. */
export function heldAnswer(): { step: Step; answer(result: DeliveryResult): void } {
  let answer: (result: DeliveryResult) => void = () => {}
  const promise = new Promise<DeliveryResult>((resolve) => {
    answer = resolve
  })
  return { step: () => promise, answer: (result) => answer(result) }
}

/** A receiver that never responds; a channel that observes the signal aborts. */
export const untilAborted: Step = (_delivery, signal) =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () =>
      resolve({ kind: 'transient', error: 'ABORTED: stopped before an answer came.', statusCode: null }),
    )
  })
