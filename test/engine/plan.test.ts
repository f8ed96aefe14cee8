// Planning: the first event of a schedule, its successor, and what a change does to a pending event.
import { describe, expect, it } from 'vitest'
import type { EventStatus } from '../../src/domain/events/event-status.ts'
import { createIds } from '../../src/domain/events/uuid.ts'
import { tzdb } from '../../src/domain/time/tzdb.ts'
import { changesBetween, type User } from '../../src/domain/users/user.ts'
import {
  planFirst,
  planOpen,
  planReplan,
  planSuccessor,
  planToday,
  planUserChange,
} from '../../src/engine/plan.ts'
import type { OccasionPlan } from '../../src/ports/store.ts'
import { makePerson, makeTask, seededDice } from '../support/fixtures.ts'
import { makeClaim } from './support/claims.ts'

const planner = { ids: createIds(seededDice(3)), table: tzdb }
const at = (text: string) => Date.parse(text)
const ADA = makePerson({ targetAt: at('2026-06-15T09:00:00Z'), dateOfBirth: '1990-06-15' })
const { user } = ADA
const occasion = ADA.occasions[0]!
const schedule = { occasion, user, task: null }

function planOf(status: EventStatus = 'PENDING'): OccasionPlan {
  return { occasion, task: null, open: { ...ADA.events[0]!, status, version: 1 }, lastSettled: null }
}

describe('planFirst', () => {
  it('plans the occurrence of this year while its time is ahead', () => {
    const event = planFirst(planner, schedule, { now: at('2026-06-15T08:59:59Z'), after: null })
    expect(event).toMatchObject({ occurrence: '2026', targetAt: at('2026-06-15T09:00:00Z') })
  })

  it('plans the occurrence of next year once its time has passed', () => {
    const event = planFirst(planner, schedule, { now: at('2026-06-15T09:00:01Z'), after: null })
    expect(event).toMatchObject({ occurrence: '2027', targetAt: at('2027-06-15T09:00:00Z') })
  })

  it('plans the local time of the timezone, and records the offset and the release', () => {
    const tokyo = { ...schedule, user: { ...user, timezone: 'Asia/Tokyo' as User['timezone'] } }
    expect(planFirst(planner, tokyo, { now: at('2026-01-01T00:00:00Z'), after: null })).toMatchObject({
      targetAt: at('2026-06-15T00:00:00Z'),
      offsetSeconds: 32_400,
      timezone: 'Asia/Tokyo',
      tzVersion: tzdb.version,
    })
  })

  it('plans nothing for an occasion that is paused', () => {
    const paused = { ...schedule, occasion: { ...occasion, pausedAt: 1 } }
    expect(planFirst(planner, paused, { now: at('2026-01-01T00:00:00Z'), after: null })).toBeNull()
  })
})

describe('planToday', () => {
  it('plans the occurrence of today for now, although its time has passed', () => {
    const now = at('2026-06-15T15:30:00Z')
    expect(planToday(planner, schedule, now)).toMatchObject({ occurrence: '2026', targetAt: now })
  })

  it('plans nothing if the occurrence of today is ahead, or today is another day', () => {
    expect(planToday(planner, schedule, at('2026-06-15T08:00:00Z'))).toBeNull()
    expect(planToday(planner, schedule, at('2026-06-16T10:00:00Z'))).toBeNull()
  })
})

describe('planSuccessor', () => {
  const claim = makeClaim()

  it('plans the next occurrence', () => {
    const end = { now: at('2026-06-15T09:00:04Z'), delivered: true }
    expect(planSuccessor(planner, claim, end)).toMatchObject({
      occasionId: claim.occasionId,
      occurrence: '2027',
      targetAt: at('2027-06-15T09:00:00Z'),
    })
  })

  it('skips the occurrences that passed during a long downtime', () => {
    const end = { now: at('2029-12-31T00:00:00Z'), delivered: true }
    expect(planSuccessor(planner, claim, end)).toMatchObject({ occurrence: '2030' })
  })

  it('plans none for a replay: the event that it repeats has one', () => {
    const end = { now: at('2026-06-15T09:00:04Z'), delivered: true }
    expect(planSuccessor(planner, { ...claim, replayOf: claim.id }, end)).toBeNull()
  })

  it('plans no second reminder of a task that was delivered', () => {
    const { occasion: reminder, task } = makeTask(claim.user, { dueAt: at('2026-06-16T09:00:00Z') })
    const reminded = { ...claim, occasion: reminder, task, eventType: reminder.type, occurrence: '1' }
    expect(planSuccessor(planner, reminded, { now: at('2026-06-15T09:00:04Z'), delivered: true })).toBeNull()
  })
})

describe('planUserChange', () => {
  const now = at('2026-06-01T00:00:00Z')
  const moved: User = { ...user, timezone: 'America/Denver' as User['timezone'] }
  const reschedule = (after: User, status: EventStatus = 'PENDING') => {
    const person = { user, plans: [planOf(status)] }
    return planUserChange(planner, { person, after, changes: changesBetween(user, after), now }).reschedules
  }

  it('moves a pending event to the new timezone, under its old id', () => {
    expect(reschedule(moved)).toMatchObject([
      {
        eventId: ADA.events[0]!.id,
        version: 1,
        to: { id: ADA.events[0]!.id, targetAt: at('2026-06-15T15:00:00Z') },
      },
    ])
  })

  it('moves a pending event to the new date of birth', () => {
    const born = { ...user, dateOfBirth: '1990-07-01' as User['dateOfBirth'] }
    expect(reschedule(born)).toMatchObject([{ to: { targetAt: at('2026-07-01T09:00:00Z') } }])
  })

  it('does not move an event in flight', () => {
    expect(reschedule(moved, 'PROCESSING')).toEqual([{ eventId: ADA.events[0]!.id, version: 1, to: null }])
  })

  it('returns null if nothing that matters to a plan changed', () => {
    expect(reschedule({ ...user, firstName: 'Grace' })).toBeNull()
  })
})

describe('planReplan', () => {
  it('returns null for an event in flight', () => {
    expect(planReplan(planner, planOf('PROCESSING'), user, at('2026-06-01T00:00:00Z'))).toBeNull()
  })
})

describe('planOpen', () => {
  const now = at('2026-06-01T00:00:00Z')
  const open = (after: OccasionPlan, before: OccasionPlan | null = planOf()) =>
    planOpen(planner, { before, after }, user, now)

  it('inserts the first event of a new occasion', () => {
    const event = { occurrence: '2026', targetAt: at('2026-06-15T09:00:00Z') }
    expect(open({ ...planOf(), open: null }, null)).toMatchObject({ kind: 'insert', event })
  })

  it('reschedules the pending event to another time of day', () => {
    const later = { ...planOf(), occasion: { ...occasion, localTime: '18:00' } }
    const to = { id: ADA.events[0]!.id, targetAt: at('2026-06-15T18:00:00Z') }
    expect(open(later)).toMatchObject({ kind: 'reschedule', eventId: ADA.events[0]!.id, to })
  })

  it('removes the pending event of an occasion that is paused', () => {
    const paused = { ...planOf(), occasion: { ...occasion, pausedAt: now } }
    expect(open(paused)).toMatchObject({ kind: 'reschedule', to: null })
  })

  it('keeps an event in flight', () => {
    expect(open(planOf('PROCESSING'))).toMatchObject({ kind: 'keepInFlight', eventId: ADA.events[0]!.id })
  })
})
