// What an operator sees of failures, and what sending them again would do.

import { describe, expect } from 'vitest'
import { type Failure, failureFrom } from '../../../src/domain/events/failure-reason.ts'
import type { Claim } from '../../../src/ports/claim.ts'
import type { EventQuery } from '../../../src/ports/query.ts'
import { addOccasion, DAY, HOUR, makePerson, newId, T0 } from '../../support/fixtures.ts'
import type { StoreIt } from '../store.contract.ts'
import {
  allPages,
  claimAt,
  create,
  createClaimed,
  delivered,
  exhausted,
  failed,
  idsOf,
  sorted,
} from './steps.ts'

const exhaustedBy = (lastError: string): Failure => ({ code: 'RETRIES_EXHAUSTED', lastError })

const FAILURES: [failure: Failure, brief: string][] = [
  [failureFrom('HTTP 410'), 'HTTP 410'],
  [failureFrom('HTTP 410: gone for good'), 'HTTP 410'],
  [exhaustedBy('HTTP 503'), 'RETRIES_EXHAUSTED: HTTP 503'],
  [exhaustedBy('HTTP 503'), 'RETRIES_EXHAUSTED: HTTP 503'],
  [exhaustedBy('HTTP 500'), 'RETRIES_EXHAUSTED: HTTP 500'],
  [failureFrom('CUT_OFF: not after 21:00 there.'), 'CUT_OFF'],
  [{ code: 'CUT_OFF', lastError: 'é🎂'.repeat(100) }, `CUT_OFF: ${'é🎂'.repeat(40)}`],
  [failureFrom(''), ''],
]

export function describeFailures(it: StoreIt): void {
  describe('failures', () => {
    it('are found by their reason in brief: the code and, after attempts, 80 characters of the error', async (store) => {
      const { claims } = await createClaimed(store, FAILURES.length)
      await store.settle(claims.map((claim, i) => failed(claim, '', { failure: FAILURES[i]![0] })))
      for (const brief of new Set(FAILURES.map(([, brief]) => brief))) {
        const expected = claims.filter((_, i) => FAILURES[i]![1] === brief)
        const query: Partial<EventQuery> = { status: 'FAILED', briefReason: brief }
        const listed = await allPages((cursor) => store.listEvents({ limit: 1, cursor, ...query }))
        expect(sorted(idsOf(listed)), brief).toEqual(sorted(idsOf(expected)))
      }
    })

    it('are found by the channel of their occasion if none was recorded', async (store) => {
      const [crm, mail] = [newId(T0), newId(T0)]
      const person = addOccasion(makePerson({ targetAt: T0 }), { type: 'A', channelId: crm }, T0)
      await create(store, addOccasion(person, { type: 'B', channelId: mail }, T0))
      const claims = await claimAt(store, T0)
      await store.settle(claims.map((claim) => failed(claim, 'HTTP 410', { successor: null })))
      const types = async (...channelIds: (string | null)[]) => {
        const { items } = await store.listEvents({ limit: 10, cursor: null, channelIds })
        return items.map(({ eventType }) => eventType).sort()
      }
      expect(await types(crm!)).toEqual(['A'])
      expect(await types(null)).toEqual(['BIRTHDAY'])
      expect(await types(null, mail!)).toEqual(['B', 'BIRTHDAY'])
      expect(await types(newId(T0))).toEqual([])
    })

    it('are found and counted by the channel that they were sent to', async (store) => {
      const [crm, mail] = [newId(T0), newId(T0)]
      await create(store, addOccasion(makePerson({ targetAt: T0 }), { type: 'A', channelId: crm }, T0))
      const claims = await claimAt(store, T0)
      await store.settle(
        claims.map((claim) => failed(claim, 'HTTP 410', { successor: null, channelId: mail })),
      )
      const found = (...channelIds: string[]) => store.listEvents({ limit: 10, cursor: null, channelIds })
      expect((await found(mail)).items.map(({ channelId }) => channelId)).toEqual([mail, mail])
      expect((await found(crm)).items).toEqual([])
      expect(await store.countFailures({ from: T0, now: T0 + HOUR })).toMatchObject([
        { channelId: mail, count: 2 },
      ])
    })

    it('are counted apart once they are replayed: in progress, delivered, or failed again', async (store) => {
      const { claims } = await createClaimed(store, 4)
      await store.settle(claims.map((claim) => failed(claim, 'HTTP 410', { successor: null })))
      const [, replaying, brought, twice] = claims as [Claim, Claim, Claim, Claim]
      const again = (of: string, at: number) => ({ of, id: newId(at), ownKey: false, at })
      await store.replay([again(brought.id, T0 + HOUR), again(twice.id, T0 + HOUR)])
      const replays = await claimAt(store, T0 + HOUR)
      await store.settle(
        replays.map((claim) =>
          claim.replayOf === brought.id
            ? delivered(claim, { successor: null })
            : failed(claim, 'HTTP 400', { successor: null }),
        ),
      )
      await store.replay([again(replaying.id, T0 + 2 * HOUR)])
      const counted = async (now: number) =>
        (await store.countFailures({ from: T0, now })).map(({ reason, state, count }) => [
          reason,
          state,
          count,
        ])
      // Of the figures and of the chart, in which a retried failure is counted as its replay.
      const failedAt = async (now: number) => {
        const { failed, wave } = await store.overview(now)
        const points = wave.filter(({ status }) => status === 'FAILED')
        return [failed, points.reduce((sum, { count }) => sum + count, 0)]
      }
      const now = T0 + 2 * HOUR
      expect(sorted((await counted(now)).map(String))).toEqual([
        'HTTP 400,unresolved,1',
        'HTTP 410,delivered,1',
        'HTTP 410,replaying,1',
        'HTTP 410,unresolved,1',
      ])
      expect(await failedAt(now)).toEqual([2, 2])
      const listed = await store.listEvents({ limit: 10, cursor: null, status: 'FAILED', unresolved: true })
      const latest = replays.find(({ replayOf }) => replayOf === twice.id)!.id
      expect(sorted(idsOf(listed.items))).toEqual(sorted([claims[0]!.id, latest]))

      await store.replay([again(latest, now)])
      await store.settle((await claimAt(store, now)).map((claim) => delivered(claim, { successor: null })))
      expect((await counted(now)).map(String)).toEqual([
        'HTTP 400,delivered,1',
        'HTTP 410,delivered,3',
        'HTTP 410,unresolved,1',
      ])
      expect(await failedAt(now)).toEqual([1, 1])
    })

    it('are counted by channel, reason and hour since an instant', async (store) => {
      const { claims } = await createClaimed(store, 5)
      const [a, b, c, d, e] = claims as [Claim, Claim, Claim, Claim, Claim]
      const now = T0 + 40 * HOUR
      await store.settle([
        exhausted(a, 'HTTP 503', { at: now - 10 }),
        exhausted(b, 'HTTP 503', { at: now - 20 }),
        exhausted(c, 'HTTP 503', { at: now - 2 * HOUR }),
        failed(d, 'HTTP 410', { at: T0 + HOUR }),
        delivered(e, { at: now - 10 }),
      ])
      const group = { channelId: null, state: 'unresolved', reason: 'RETRIES_EXHAUSTED: HTTP 503' }
      const recent = [
        { ...group, hoursAgo: 0, count: 2, oldestAt: now - 20, newestAt: now - 10 },
        { ...group, hoursAgo: 2, count: 1, oldestAt: now - 2 * HOUR, newestAt: now - 2 * HOUR },
      ]
      const old = { channelId: null, state: 'unresolved', reason: 'HTTP 410', hoursAgo: 24, count: 1 }
      expect(await store.countFailures({ from: T0, now })).toEqual([
        { ...old, oldestAt: T0 + HOUR, newestAt: T0 + HOUR },
        ...recent,
      ])
      expect(await store.countFailures({ from: T0 + 2 * HOUR, now })).toEqual(recent)
      expect(await store.countFailures({ from: now, now })).toEqual([])
    })

    it('are counted and found no more once their group is dismissed, unless they ended later', async (store) => {
      const [crm, mail] = [newId(T0), newId(T0)]
      const person = addOccasion(makePerson({ targetAt: T0 }), { type: 'A', channelId: crm }, T0)
      await create(store, addOccasion(person, { type: 'B', channelId: crm }, T0))
      const claims = await claimAt(store, T0)
      const of = (type: string) => claims.find(({ eventType }) => eventType === type)!
      await store.settle([
        failed(of('A'), 'HTTP 410', { successor: null, at: T0 + 10 }),
        failed(of('B'), 'HTTP 410', { successor: null, at: T0 + 20, channelId: mail }),
        failed(of('BIRTHDAY'), 'HTTP 410', { successor: null, at: T0 + 30 }),
      ])
      const unresolved = async () => {
        const query = { limit: 10, cursor: null, status: 'FAILED', unresolved: true } as const
        const types = (await store.listEvents(query)).items.map(({ eventType }) => eventType)
        const counts = await store.countFailures({ from: T0, now: T0 + HOUR })
        const { failed } = await store.overview(T0 + HOUR)
        expect([counts.length, failed]).toEqual([types.length, types.length])
        const { unresolved: _, ...all } = query
        const undismissed = await store.listEvents({ ...all, undismissed: true })
        expect(undismissed.items.map(({ eventType }) => eventType)).toEqual(types)
        return types.sort()
      }
      const dismiss = (channelId: string | null, failedBefore: number | null) =>
        store.dismissFailures({ channelId, reason: 'HTTP 410', failedBefore })
      expect(await unresolved()).toEqual(['A', 'B', 'BIRTHDAY'])
      expect(await dismiss(crm!, T0 + 10)).toBeNull()
      expect(await unresolved()).toEqual(['A', 'B', 'BIRTHDAY'])
      expect(await dismiss(crm!, T0 + 11)).toBe(T0 + 10)
      expect(await unresolved()).toEqual(['B', 'BIRTHDAY'])
      await dismiss(null, T0 + HOUR)
      expect(await unresolved()).toEqual(['B'])
      await dismiss(mail!, T0 + HOUR)
      expect(await unresolved()).toEqual([])
      const failing = { limit: 10, cursor: null, failed: true } as const
      expect((await store.listUsers(failing)).items).toEqual([])
      expect(await dismiss(null, null)).toBe(T0 + HOUR)
      expect(await unresolved()).toEqual(['BIRTHDAY'])
      expect((await store.listUsers(failing)).items.map(({ id }) => id)).toEqual([person.user.id])
    })

    it('show why they cannot be sent again', async (store) => {
      const { claims } = await createClaimed(store, 4)
      const [free, inFlight, brought, fine] = claims as [Claim, Claim, Claim, Claim]
      const gone = [free, inFlight, brought].map((claim) => failed(claim, 'HTTP 410', { successor: null }))
      await store.settle([...gone, delivered(fine)])
      const again = (claim: Claim, at: number) => ({
        of: claim.id,
        id: newId(at),
        ownKey: false,
        at,
      })
      await store.replay([again(brought, T0 + HOUR)])
      await store.settle([delivered((await claimAt(store, T0 + HOUR))[0]!, { successor: null })])
      await store.replay([again(inFlight, T0 + DAY)])
      const outlooks = await store.replayOutlook([...idsOf(claims), newId(T0)])
      const byId = new Map(outlooks.map(({ eventId, state, notAfter }) => [eventId, [state, notAfter]]))
      expect(byId).toEqual(
        new Map([
          [free.id, ['free', null]],
          [inFlight.id, ['in-progress', null]],
          [brought.id, ['delivered', null]],
        ]),
      )
      expect(await store.replayOutlook([])).toEqual([])
    })

    it('tell until when they were to be tried on their day', async (store) => {
      const person = addOccasion(makePerson({ targetAt: T0 + DAY }), { type: 'A', notAfter: '21:00' }, T0)
      await create(store, person)
      const [claim] = await claimAt(store, T0)
      await store.settle([failed(claim!, 'HTTP 410')])
      expect(await store.replayOutlook([claim!.id])).toEqual([
        { eventId: claim!.id, state: 'free', notAfter: '21:00' },
      ])
    })
  })
}
