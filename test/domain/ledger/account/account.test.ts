import { describe, expect, it } from 'vitest'
import { accountFor, accountOccasion } from '../../../../src/domain/ledger/account/account.ts'
import type { AccountEvent, Context, OccasionAccount } from '../../../../src/domain/ledger/account/input.ts'
import { checkPlan } from '../../../../src/domain/ledger/account/plan-check.ts'
import { caseOf } from '../../../../src/domain/ledger/account/timeline.ts'
import { type CurrentRules, createZoneHistory } from '../../../../src/domain/ledger/account/zone-history.ts'
import { countLine, type LedgerLine, noCounts } from '../../../../src/domain/ledger/line.ts'
import { tzdb } from '../../../../src/domain/time/tzdb.ts'
import { DAY, HOUR, makeOccasion, makeTask, newId } from '../../../support/fixtures.ts'

const at = (text: string) => Date.parse(text)
const dayOf = (text: string) => at(text) / DAY

const CREATED = at('2026-01-10T12:00:00Z')
const occasion = makeOccasion({ id: newId(CREATED) }, { id: newId(CREATED) })

/** Ada, born on 15 June, in Berlin: due at 07:00 UTC. */
const DUE = at('2026-06-15T07:00:00Z')
const NEXT = at('2027-06-15T07:00:00Z')

function event(change: Partial<AccountEvent> = {}): AccountEvent {
  const targetAt = change.targetAt ?? DUE
  return {
    id: newId(targetAt),
    occurrence: '2026',
    status: 'PENDING',
    targetAt,
    offsetSeconds: 7200,
    timezone: 'Europe/Berlin',
    tzVersion: '2026f',
    replayOf: null,
    wakeAt: change.status === 'COMPLETED' || change.status === 'FAILED' ? null : targetAt,
    leaseUntil: null,
    claimedBy: null,
    claimedAt: null,
    executedAt: null,
    statusCode: null,
    failureCode: null,
    parkCount: 0,
    retryCount: 0,
    version: 1,
    createdAt: CREATED,
    updatedAt: CREATED,
    hasBody: false,
    attempts: 0,
    ...change,
  }
}

function delivered(change: Partial<AccountEvent> = {}): AccountEvent {
  const targetAt = change.targetAt ?? DUE
  return event({
    status: 'COMPLETED',
    claimedBy: 'worker-1',
    claimedAt: targetAt + 100,
    executedAt: targetAt + 300,
    statusCode: 204,
    hasBody: true,
    ...change,
  })
}

function failed(failureCode: string, change: Partial<AccountEvent> = {}): AccountEvent {
  const claim = { claimedBy: 'worker-1', claimedAt: DUE, executedAt: DUE + 1_000 }
  return event({ status: 'FAILED', failureCode, ...claim, ...change })
}

const successor = () => event({ occurrence: '2027', targetAt: NEXT })

function input(change: Partial<OccasionAccount> = {}): OccasionAccount {
  return {
    user: { id: occasion.userId, dateOfBirth: '1990-06-15', timezone: 'Europe/Berlin', createdAt: CREATED },
    occasion,
    task: null,
    events: [],
    changes: [],
    isReadable: true,
    moves: [],
    carried: [],
    seen: true,
    ...change,
  }
}

const rulesOf = (zone: string, like = zone): CurrentRules => ({
  current: { rules: tzdb.rules(like), version: tzdb.version },
  older: null,
})

const context = (now = '2026-06-16T12:00:00Z', change: Partial<Context> = {}): Context => ({
  zones: createZoneHistory((zone) => rulesOf(zone), []),
  limits: [],
  now: at(now),
  ...change,
})

const short = ({ column, reason, entry }: LedgerLine) => [column, reason, entry]
const account = (of: OccasionAccount, day = '2026-06-15', within = context()) =>
  accountOccasion(caseOf(of, within), dayOf(day)).map(short)
const plan = (of: OccasionAccount, within = context()) => checkPlan(caseOf(of, within)).map(short)

describe('the account of a day', () => {
  it('has a delivered message once, on its day', () => {
    const ada = input({ events: [delivered(), successor()] })
    expect(account(ada)).toEqual([['delivered', null, null]])
    expect(account(ada, '2026-06-14')).toEqual([])
    expect(account(ada, '2026-06-16')).toEqual([])
    expect(plan(ada)).toEqual([])
  })

  it('owes nothing before the creation', () => {
    const ada = input({ events: [event({})] })
    expect(account(ada, '2025-06-15')).toEqual([])
  })

  it('counts a replay that was delivered, and finds one that was delivered twice', () => {
    const original = failed('HTTP 404')
    const replay = delivered({ occurrence: '2026~1', replayOf: original.id, targetAt: DUE + DAY })
    expect(account(input({ events: [original, successor()] }))).toEqual([['failed', 'HTTP 404', null]])
    expect(account(input({ events: [original, replay, successor()] }))).toEqual([['delivered', null, null]])
    const again = delivered({ occurrence: '2026~2', replayOf: original.id, targetAt: DUE + DAY })
    expect(account(input({ events: [original, replay, again, successor()] }))).toEqual([
      ['delivered', null, null],
      ['surplus', 'SENT_TWICE', null],
    ])
  })

  it.each([
    ['IN_FLIGHT', { status: 'PROCESSING', leaseUntil: at('2026-06-16T12:01:00Z') }],
    ['PARKED', { status: 'PROCESSING', parkCount: 2 }],
    ['RETRY', { status: 'PROCESSING', retryCount: 1 }],
    ['NOT_CLAIMED', {}],
  ] as const)('says why an event is open: %s', (reason, change) => {
    expect(account(input({ events: [event(change)] }))).toEqual([['open', reason, null]])
  })
})

describe('an event that a worker has claimed', () => {
  it('is unexplained if the claim is older than a day and its lease does not end', () => {
    const now = at('2026-06-16T12:00:00Z')
    const held = event({
      status: 'PROCESSING',
      claimedBy: 'worker-1',
      claimedAt: DUE,
      leaseUntil: now + 60_000,
    })
    expect(account(input({ events: [held] }))).toEqual([['unexplained', 'STUCK', null]])
    const later = { ...held, claimedAt: now - 3_600_000 }
    expect(account(input({ events: [later] }))).toEqual([['open', 'IN_FLIGHT', null]])
  })
})

describe('an event that stays open', () => {
  const openIn = (days: number, change: Partial<AccountEvent> = {}, of: Partial<OccasionAccount> = {}) => {
    const now = DUE + days * DAY
    const sleeping = event({ status: 'PROCESSING', wakeAt: now + HOUR, ...change })
    return accountFor(
      input({ events: [sleeping], ...of }),
      dayOf('2026-06-15'),
      context(new Date(now).toISOString()),
    )
  }
  const unexplained = (reason: string) => [['unexplained', reason, null]]

  it('is unexplained if its lease ends after more than a day', () => {
    const held = { claimedBy: 'worker-1', claimedAt: DUE + DAY, leaseUntil: DUE + 900 * DAY }
    expect(openIn(1, held).map(short)).toEqual(unexplained('STUCK'))
  })

  it('is unexplained if it wakes later than any retry, also while it is ahead', () => {
    expect(openIn(1, { wakeAt: DUE + 900 * DAY, retryCount: 1 }).map(short)).toEqual(unexplained('ASLEEP'))
    expect(openIn(-30, { status: 'PENDING', wakeAt: DUE + 900 * DAY }).map(short)).toEqual(
      unexplained('ASLEEP'),
    )
    expect(openIn(1, { wakeAt: DUE + 2.4 * DAY, retryCount: 8 }).map(short)).toEqual([
      ['open', 'RETRY', null],
    ])
  })

  it('is unexplained after a week, unless its channel is paused', () => {
    expect(openIn(6, { retryCount: 1 }).map(short)).toEqual([['open', 'RETRY', null]])
    expect(openIn(8, { retryCount: 1 }).map(short)).toEqual(unexplained('OPEN_TOO_LONG'))
    expect(openIn(8, { parkCount: 9 }).map(short)).toEqual([['open', 'PARKED', null]])
    expect(openIn(8, { parkCount: 9, wakeAt: DUE }).map(short)).toEqual(unexplained('OPEN_TOO_LONG'))
  })

  it('is open after a week if it is a reminder that is retried until its task is due', () => {
    const remindedIn = (days: number, retryCount: number, wakeAt: number) => {
      const of = makeTask({ id: occasion.userId }, { dueAt: DUE + 9 * DAY, remindBeforeMs: 9 * DAY })
      return openIn(days, { occurrence: 'due-1', retryCount, wakeAt }, of).map(short)
    }
    expect(remindedIn(8, 100, DUE + 8 * DAY + HOUR)).toEqual([['open', 'RETRY', null]])
    const isTooLong = unexplained('OPEN_TOO_LONG')
    expect(remindedIn(8, 100, DUE)).toEqual(isTooLong)
    expect(remindedIn(8, 0, DUE + 8 * DAY + HOUR)).toEqual(isTooLong)
    expect(remindedIn(11, 100, DUE + 11 * DAY + HOUR)).toEqual(isTooLong)
  })
})

describe('a settlement', () => {
  it('is late with a reason if its clock was set back, and not unexplained', () => {
    const [line] = accountOccasion(
      caseOf(input({ events: [delivered({ executedAt: DUE - HOUR }), successor()] }), context()),
      dayOf('2026-06-15'),
    )
    expect(short(line!)).toEqual(['delivered', 'SETTLED_BEFORE_CLAIM', null])
    const counts = noCounts()
    countLine(counts, line!)
    expect(counts).toMatchObject({ delivered: 1, late: 1, early: 0 })
  })
})

describe('an event that failed at its cut-off', () => {
  const until = (notAfter: string, executedAt: number, change: Partial<AccountEvent> = {}) => {
    const events = [failed('CUT_OFF', { executedAt, ...change }), successor()]
    return account(input({ occasion: { ...occasion, notAfter }, events }))
  }

  it('is excused after the time that its occasion has, and unexplained before it', () => {
    expect(until('10:00', DUE + 3_700_000)).toEqual([['excused', 'CUT_OFF', null]])
    expect(until('12:00', DUE + 600_000)).toEqual([['unexplained', 'CUT_OFF_NOT_RECORDED', null]])
  })

  it('may be tried until the next day if the time is before its own', () => {
    expect(until('08:00', DUE + 600_000)).toEqual([['unexplained', 'CUT_OFF_NOT_RECORDED', null]])
    expect(until('08:00', DUE + 23.5 * 3_600_000)).toEqual([['excused', 'CUT_OFF', null]])
  })

  it('may be cut off by a late retry, and not after a response that ends the retries', () => {
    expect(until('22:00', DUE + 1_000, { statusCode: 503 })).toEqual([['excused', 'CUT_OFF', null]])
    expect(until('22:00', DUE + 1_000, { statusCode: 400 })).toEqual([
      ['unexplained', 'CUT_OFF_NOT_RECORDED', null],
    ])
  })
})

describe('an event that failed as too late', () => {
  const missed = failed('MISSED_WINDOW', { claimedAt: DUE + 7_200_000, executedAt: DUE + 7_200_000 })
  const under = (after: Record<string, number | null>) =>
    account(
      input({ events: [missed, successor()] }),
      '2026-06-15',
      context('2026-06-16T12:00:00Z', {
        limits: [{ number: 4, at: CREATED, kind: 'limits-changed', after }],
      }),
    )

  it('is unexplained if its kind has no limit, although the other kinds have one', () => {
    expect(under({ '*': 3_600_000 })).toEqual([['excused', 'MISSED_WINDOW', 4]])
    expect(under({ '*': 3_600_000, BIRTHDAY: null })).toEqual([
      ['unexplained', 'MISSED_WINDOW_NOT_RECORDED', null],
    ])
  })
})

describe('a message of a missed year', () => {
  it('is surplus if it was planned after its time, and not by a change', () => {
    const missed = delivered({
      createdAt: DUE + 30 * DAY,
      claimedAt: DUE + 30 * DAY,
      executedAt: DUE + 30 * DAY,
    })
    expect(
      account(input({ events: [missed, successor()] }), '2026-06-15', context('2026-07-20T00:00:00Z')),
    ).toEqual([['surplus', 'NOT_OWED', null]])
  })
})

describe('a change in the journal', () => {
  const paused = {
    number: 7,
    at: at('2026-06-10T00:00:00Z'),
    kind: 'occasion-changed' as const,
    occasionId: occasion.id,
    before: { ...occasion, task: null },
  }

  it('excuses an occurrence of a paused occasion by its entry, and a pause that is not recorded excuses nothing', () => {
    const now = { ...occasion, pausedAt: paused.at }
    expect(account(input({ occasion: now, changes: [paused] }))).toEqual([['excused', 'PAUSED', 7]])
    const stopped = failed('OCCASION_PAUSED')
    expect(account(input({ events: [stopped, successor()] }))).toEqual([
      ['unexplained', 'OCCASION_PAUSED_NOT_RECORDED', null],
    ])
    const inFlight = { ...paused, at: DUE + 500 }
    expect(account(input({ occasion: now, changes: [inFlight], events: [stopped] }))).toEqual([
      ['excused', 'OCCASION_PAUSED', 7],
    ])
  })

  it('excuses a message that was too late by the entry of the limit that it exceeded', () => {
    const limitsOf = (number: number, hours: number) => ({
      number,
      at: at('2026-06-01T00:00:00Z') + number,
      kind: 'limits-changed' as const,
      after: { '*': null, BIRTHDAY: hours * HOUR },
    })
    const late = (executedAt: number) =>
      input({ events: [failed('MISSED_WINDOW', { executedAt }), successor()] })
    const under = context('2026-06-16T12:00:00Z', { limits: [limitsOf(3, 6), limitsOf(4, 2)] })
    const failedAfter = (hours: number) => account(late(DUE + hours * HOUR), '2026-06-15', under)
    expect(failedAfter(1)).toEqual([['unexplained', 'MISSED_WINDOW_NOT_RECORDED', null]])
    expect(failedAfter(3)).toEqual([['excused', 'MISSED_WINDOW', 4]])
    expect(account(late(DUE + HOUR))).toEqual([['unexplained', 'MISSED_WINDOW_NOT_RECORDED', null]])
  })

  it('excuses a message by the limit of any process that ran beside the others', () => {
    const recordedAt = (number: number, hours: number) => ({
      number,
      at: DUE - number * HOUR,
      kind: 'limits-changed' as const,
      after: { '*': hours * HOUR },
    })
    const limits = [
      recordedAt(5, 2),
      recordedAt(4, 12),
      recordedAt(3, 24),
      recordedAt(2, 48),
      recordedAt(1, 72),
    ]
    const events = [failed('MISSED_WINDOW', { executedAt: DUE + 3 * HOUR }), successor()]
    const under = (now: typeof limits) =>
      account(input({ events }), '2026-06-15', context('2026-06-16T12:00:00Z', { limits: now }))
    expect(under(limits)).toEqual([['excused', 'MISSED_WINDOW', 5]])
    const replaced = [{ ...limits[0]!, at: DUE - 2 * DAY }, ...limits.slice(1)]
    expect(under(replaced)).toEqual([['unexplained', 'MISSED_WINDOW_NOT_RECORDED', null]])
  })

  it('moves the occurrence with a corrected date of birth', () => {
    const corrected = {
      number: 8,
      at: at('2026-06-10T00:00:00Z'),
      kind: 'person-changed' as const,
      userId: occasion.userId,
      before: { dateOfBirth: '1990-06-15', timezone: 'Europe/Berlin' },
    }
    const user = { ...input().user, dateOfBirth: '1990-06-20' }
    const moved = delivered({ targetAt: at('2026-06-20T07:00:00Z') })
    const ada = input({ user, changes: [corrected], events: [moved] })
    expect(account(ada)).toEqual([['excused', 'CHANGED', 8]])
    const later = context('2026-06-21T12:00:00Z')
    expect(account(ada, '2026-06-20', later)).toEqual([['delivered', null, null]])
    // The event was not moved.
    expect(account(input({ user, changes: [corrected], events: [delivered()] }))).toEqual([
      ['surplus', 'NOT_OWED', null],
    ])
  })

  it('owes a message at once when a move puts its time in the past', () => {
    const moved = {
      number: 9,
      at: at('2026-06-15T06:00:00Z'),
      kind: 'person-changed' as const,
      userId: occasion.userId,
      before: { dateOfBirth: '1990-06-15', timezone: 'Europe/Berlin' },
    }
    const user = { ...input().user, timezone: 'Asia/Jakarta' }
    const inJakarta = {
      timezone: 'Asia/Jakarta',
      offsetSeconds: 25_200,
      targetAt: at('2026-06-15T02:00:00Z'),
    }
    const sent = delivered({ ...inJakarta, claimedAt: moved.at + 100, executedAt: moved.at + 200 })
    expect(account(input({ user, changes: [moved], events: [sent] }))).toEqual([['delivered', null, null]])
    expect(account(input({ user, changes: [moved] }))).toEqual([['unexplained', 'NO_EVENT', null]])
  })

  it('permits a move before the send whose claim was asked for minutes before it', () => {
    const moved = {
      number: 9,
      at: DUE + 180_000,
      kind: 'person-changed' as const,
      userId: occasion.userId,
      before: { dateOfBirth: '1990-06-15', timezone: 'Europe/Berlin' },
    }
    const user = { ...input().user, timezone: 'Asia/Jakarta' }
    const sent = delivered({
      timezone: 'Asia/Jakarta',
      offsetSeconds: 25_200,
      targetAt: at('2026-06-15T02:00:00Z'),
      claimedAt: DUE,
      executedAt: DUE + 190_000,
    })
    expect(account(input({ user, changes: [moved], events: [sent] }))).toEqual([['delivered', null, null]])
  })

  it('finds a message that follows replaced timezone rules', () => {
    const before = { rules: tzdb.rules('Europe/Berlin'), version: '2025c' }
    const changes = [{ zone: 'Europe/Berlin', at: at('2026-03-01T00:00:00Z'), before }]
    const zones = createZoneHistory((zone) => rulesOf(zone, 'Asia/Jakarta'), changes)
    const under = context('2026-06-16T12:00:00Z', { zones })
    expect(account(input({ events: [delivered()] }), '2026-06-15', under)).toEqual([
      ['surplus', 'NOT_OWED', null],
    ])
    const moved = delivered({ targetAt: at('2026-06-15T02:00:00Z') })
    expect(account(input({ events: [moved] }), '2026-06-15', under)).toEqual([['delivered', null, null]])
  })

  it('finds an event that no replan moved, also while a process with the older table runs', () => {
    const before = { rules: tzdb.rules('Europe/Berlin'), version: '2025c' }
    const changes = [{ zone: 'Europe/Berlin', at: at('2026-03-01T00:00:00Z'), before }]
    const current = { rules: tzdb.rules('Asia/Jakarta'), version: '2026f' }
    const zones = createZoneHistory(() => ({ current, older: before }), changes)
    const under = context('2026-03-02T12:00:00Z', { zones })
    const left = event({ tzVersion: '2025c' })
    expect(plan(input({ events: [left] }), under)).toEqual([['unexplained', 'MISPLANNED', null]])
    // Overdue when the rules were replaced.
    const overdue = context('2026-06-16T12:00:00Z', {
      zones: createZoneHistory(
        () => ({ current, older: before }),
        changes.map((change) => ({ ...change, at: DUE + DAY })),
      ),
    })
    expect(account(input({ events: [left] }), '2026-06-15', overdue)).toEqual([['open', 'NOT_CLAIMED', null]])
    const plannedSince = { ...left, updatedAt: at('2026-03-01T06:00:00Z') }
    expect(plan(input({ events: [plannedSince] }), under)).toEqual([])
  })
})

describe('a line about a misplaced occurrence', () => {
  const lines = (of: OccasionAccount, now = '2026-06-16T12:00:00Z') =>
    accountFor(of, dayOf('2026-06-15'), context(now)).map(({ reason, dueAt, expectedAt }) => [
      reason,
      dueAt,
      expectedAt,
    ])
  const elsewhere = { ...input().user, timezone: 'America/New_York' }

  it('says where the present state of the occasion puts it', () => {
    const there = at('2026-06-15T13:00:00Z')
    const pending = input({ user: elsewhere, events: [event()] })
    expect(lines(pending, '2026-06-01T00:00:00Z')).toEqual([['MISPLANNED', DUE, there]])
    const sent = input({ user: elsewhere, events: [delivered(), successor()] })
    expect(lines(sent)).toEqual([
      ['NOT_OWED', DUE, there],
      ['MISPLANNED', NEXT, at('2027-06-15T13:00:00Z')],
    ])
    const later = event({ occurrence: '2028', targetAt: at('2028-06-15T07:00:00Z') })
    expect(lines(input({ events: [delivered(), later] }))).toEqual([
      [null, DUE, null],
      ['SKIPPED', later.targetAt, NEXT],
    ])
  })

  it('says the next occurrence if the present rule has none of that name, and nothing if there is none', () => {
    const odd = delivered({ occurrence: '2:2026' })
    expect(lines(input({ events: [odd, delivered(), successor()] }))).toContainEqual(['NOT_OWED', DUE, null])
    const rule = { ...occasion, ruleRevision: 3, date: '1990-06-18' }
    const moved = input({ occasion: rule, events: [delivered()] })
    expect(lines(moved)).toContainEqual(['NOT_OWED', DUE, at('2026-06-18T07:00:00Z')])
    const ended = input({ occasion: { ...rule, until: '2026-06-01' }, events: [delivered()] })
    expect(lines(ended)).toEqual([['NOT_OWED', DUE, null]])
  })
})

describe('the reminder of a task', () => {
  const TASK_DUE = at('2026-06-15T10:00:00Z')
  const { task } = makeTask(
    { id: occasion.userId },
    { id: occasion.id, dueAt: TASK_DUE, remindBeforeMs: TASK_DUE - DUE },
  )
  const reminder = (change: Partial<OccasionAccount>) =>
    input({ occasion: { ...occasion, type: 'TASK_REMINDER', repeats: 'ONCE' }, task, ...change })

  it('is open on its day if nobody has claimed it', () => {
    const overdue = event({ occurrence: 'due-1' })
    expect(account(reminder({ events: [overdue] }))).toEqual([['open', 'NOT_CLAIMED', null]])
  })

  it('is excused by a change of the task after its due time, and unexplained without one', () => {
    const changed = {
      number: 5,
      at: TASK_DUE + 60_000,
      kind: 'occasion-changed' as const,
      occasionId: occasion.id,
      before: { ...occasion, task },
    }
    const quiet = { ...task, quietHours: '22:00-08:00' }
    expect(account(reminder({ task: quiet, changes: [changed] }))).toEqual([['excused', 'CHANGED', 5]])
    expect(account(reminder({}))).toEqual([['unexplained', 'NO_EVENT', null]])
  })
})
