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
  it('has a delivered message on its day, and nothing before the creation', () => {
    const ada = input({ events: [delivered(), successor()] })
    expect(account(ada)).toEqual([['delivered', null, null]])
    for (const day of ['2025-06-15', '2026-06-14', '2026-06-16']) expect(account(ada, day), day).toEqual([])
    expect(plan(ada)).toEqual([])
  })

  it('is late with a reason if its clock was set back, and not unexplained', () => {
    const events = [delivered({ executedAt: DUE - HOUR }), successor()]
    const [line] = accountOccasion(caseOf(input({ events }), context()), dayOf('2026-06-15'))
    expect(short(line!)).toEqual(['delivered', 'SETTLED_BEFORE_CLAIM', null])
    const counts = noCounts()
    countLine(counts, line!)
    expect(counts).toMatchObject({ delivered: 1, late: 1, early: 0 })
  })
})

describe('an event that is not settled', () => {
  const claimed = { claimedBy: 'worker-1', claimedAt: DUE }

  it.each<[what: string, days: number, change: Partial<AccountEvent>, line: string]>([
    [
      'is claimed',
      1,
      { ...claimed, claimedAt: DUE + 0.9 * DAY, leaseUntil: DUE + DAY + 1 },
      'open IN_FLIGHT',
    ],
    ['waits for its channel', 1, { parkCount: 2 }, 'open PARKED'],
    ['waits for a retry', 1, { retryCount: 1 }, 'open RETRY'],
    ['was never claimed', 1, { status: 'PENDING', wakeAt: DUE }, 'open NOT_CLAIMED'],
    ['is claimed for more than a day', 1.2, { ...claimed, leaseUntil: DUE + 1.3 * DAY }, 'unexplained STUCK'],
    ['has a lease of years', 1, { ...claimed, leaseUntil: DUE + 900 * DAY }, 'unexplained STUCK'],
    ['wakes later than any retry', 1, { retryCount: 1, wakeAt: DUE + 900 * DAY }, 'unexplained ASLEEP'],
    [
      'is ahead and wakes too late',
      -30,
      { status: 'PENDING', wakeAt: DUE + 900 * DAY },
      'unexplained ASLEEP',
    ],
    ['wakes after its longest retry', 1, { retryCount: 8, wakeAt: DUE + 2.4 * DAY }, 'open RETRY'],
    ['is retried for six days', 6, { retryCount: 1 }, 'open RETRY'],
    ['is retried for eight days', 8, { retryCount: 1 }, 'unexplained OPEN_TOO_LONG'],
    ['waits for its channel for eight days', 8, { parkCount: 9 }, 'open PARKED'],
    ['should have left its channel', 8, { parkCount: 9, wakeAt: DUE }, 'unexplained OPEN_TOO_LONG'],
  ])('has a line with its reason if it %s, %s days after its due time', (_, days, change, line) => {
    const now = DUE + days * DAY
    const sleeping = event({ status: 'PROCESSING', wakeAt: now + HOUR, ...change })
    const within = context(new Date(now).toISOString())
    const found = accountFor(input({ events: [sleeping] }), dayOf('2026-06-15'), within)
    expect(found.map(({ column, reason }) => `${column} ${reason}`)).toEqual([line])
  })

  it.each([
    ['is retried', 8, 100, 8 * DAY + HOUR, 'RETRY'],
    ['should have been retried', 8, 100, 0, 'OPEN_TOO_LONG'],
    ['was never tried', 8, 0, 8 * DAY + HOUR, 'OPEN_TOO_LONG'],
    ['is retried although its task is past due', 11, 100, 11 * DAY + HOUR, 'OPEN_TOO_LONG'],
  ])(
    'may be open for longer as a reminder that %s, %s days after its due time',
    (_, days, retryCount, wakesAfter, reason) => {
      const { occasion, task } = makeTask(
        { id: input().user.id },
        { dueAt: DUE + 9 * DAY, remindBeforeMs: 9 * DAY },
      )
      const reminder = event({
        ...{ occurrence: 'due-1', status: 'PROCESSING', retryCount, wakeAt: DUE + wakesAfter },
      })
      const of = input({ occasion, task, events: [reminder] })
      const within = context(new Date(DUE + days * DAY).toISOString())
      expect(accountFor(of, dayOf('2026-06-15'), within).map(({ reason }) => reason)).toEqual([reason])
    },
  )
})

describe('an event that failed at its cut-off', () => {
  it.each<[notAfter: string, afterMs: number, change: Partial<AccountEvent>, isExcused: boolean]>([
    ['10:00', 3_700_000, {}, true],
    ['12:00', 600_000, {}, false],
    // A time before its own is one of the next day.
    ['08:00', 600_000, {}, false],
    ['08:00', 23.5 * HOUR, {}, true],
    // The next retry would have been too late, unless the response ended the retries.
    ['22:00', 1_000, { statusCode: 503 }, true],
    ['22:00', 1_000, { statusCode: 400 }, false],
  ])(
    'at %s, %s ms after its due time and with %j, is excused: %s',
    (notAfter, afterMs, change, isExcused) => {
      const events = [failed('CUT_OFF', { executedAt: DUE + afterMs, ...change }), successor()]
      expect(account(input({ occasion: { ...occasion, notAfter }, events }))).toEqual([
        isExcused ? ['excused', 'CUT_OFF', null] : ['unexplained', 'CUT_OFF_NOT_RECORDED', null],
      ])
    },
  )
})

describe('an event that failed as too late', () => {
  const limit = (number: number, hours: number | null, over: { at?: number; '*'?: number | null } = {}) => ({
    number,
    at: over.at ?? CREATED + number,
    kind: 'limits-changed' as const,
    after: { '*': over['*'] ?? null, BIRTHDAY: hours === null ? null : hours * HOUR },
  })
  const hoursBefore = (hours: number) => ({ at: DUE - hours * HOUR })
  /** Limits of four other processes, recorded since. */
  const others = [
    limit(4, 12, hoursBefore(4)),
    limit(3, 24, hoursBefore(3)),
    limit(2, 48, hoursBefore(2)),
    limit(1, 72, hoursBefore(1)),
  ]

  it.each<[what: string, failedAfterHours: number, limits: Context['limits'], entry: number | null]>([
    ['there is none', 3, [], null],
    ['only other types have a limit', 3, [limit(4, null, { '*': HOUR })], null],
    ['it was within each limit', 1, [limit(3, 6), limit(4, 2)], null],
    ['it exceeded the second of two limits', 3, [limit(3, 6), limit(4, 2)], 4],
    ['it exceeded the limit of one of many processes', 3, [limit(5, 2, hoursBefore(5)), ...others], 5],
    ['the limit that it exceeded was replaced', 3, [limit(5, 2, hoursBefore(48)), ...others], null],
  ])('is excused by a recorded limit only: %s', (_, hours, limits, entry) => {
    const events = [failed('MISSED_WINDOW', { executedAt: DUE + hours * HOUR }), successor()]
    const within = context('2026-06-16T12:00:00Z', { limits })
    expect(account(input({ events }), '2026-06-15', within)).toEqual([
      entry === null
        ? ['unexplained', 'MISSED_WINDOW_NOT_RECORDED', null]
        : ['excused', 'MISSED_WINDOW', entry],
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

  /** The entry of a change of the person, who was born on 15 June and lived in Berlin before it. */
  const personChanged = (number: number, at: number) => ({
    ...{ number, at, kind: 'person-changed' as const, userId: occasion.userId },
    before: { dateOfBirth: '1990-06-15', timezone: 'Europe/Berlin' },
  })

  it('owes a message at once when a move puts its time in the past, also a few minutes after its claim', () => {
    const user = { ...input().user, timezone: 'Asia/Jakarta' }
    const accountOf = (movedAt: number, sent: Partial<AccountEvent> | null) => {
      const there = { timezone: 'Asia/Jakarta', offsetSeconds: 25_200, targetAt: at('2026-06-15T02:00:00Z') }
      const events = sent === null ? [] : [delivered({ ...there, ...sent })]
      return account(input({ user, changes: [personChanged(9, movedAt)], events }))
    }
    const early = DUE - HOUR
    const atOnce = { claimedAt: early + 100, executedAt: early + 200 }
    expect(accountOf(early, atOnce)).toEqual([['delivered', null, null]])
    expect(accountOf(early, null)).toEqual([['unexplained', 'NO_EVENT', null]])
    const claimedBefore = { claimedAt: DUE, executedAt: DUE + 190_000 }
    expect(accountOf(DUE + 180_000, claimedBefore)).toEqual([['delivered', null, null]])
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
})

describe('the reminder of a task', () => {
  const TASK_DUE = at('2026-06-15T10:00:00Z')
  const { task } = makeTask(
    { id: occasion.userId },
    { id: occasion.id, dueAt: TASK_DUE, remindBeforeMs: TASK_DUE - DUE },
  )
  const reminder = (change: Partial<OccasionAccount>) =>
    input({ occasion: { ...occasion, type: 'TASK_REMINDER', repeats: 'ONCE' }, task, ...change })

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
