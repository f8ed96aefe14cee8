// A long claim reads people as they were when it began, and locks their events when it comes to them.

import { describe, expect, it } from 'vitest'
import type { Timezone } from '../../../src/domain/time/timezone.ts'
import { changesBetween } from '../../../src/domain/users/user.ts'
import { planUserChange } from '../../../src/engine/plan.ts'
import { settlementOf } from '../../../src/engine/settlement.ts'
import type { Claim } from '../../../src/ports/claim.ts'
import type { Store, UserUpdate } from '../../../src/ports/store.ts'
import { BUILT_IN_ONLY, onlyDestination } from '../../support/fixed-parts.ts'
import { DELIVERED, HOUR, makePeople, UNAVAILABLE } from '../../support/fixtures.ts'
import { query } from './support/audit.ts'
import { createDuePeople, planner } from './support/due-people.ts'
import { useStage } from './support/postgres-suite.ts'

const stage = useStage()

const deps = {
  planner,
  dice: () => 0,
  telemetry() {},
  retryPolicy: { delaysMs: [0] },
  templates: BUILT_IN_ONLY,
  destinations: onlyDestination({
    deliver: async () => ({ kind: 'delivered', statusCode: 200 }),
    close: async () => {},
  }),
  lateness: new Map(),
}

/** All that is written when the person moves, made ready to be written at once. */
async function planMove(store: Store, userId: string): Promise<UserUpdate> {
  const person = (await store.readPerson(userId))!
  const now = Date.now()
  const timezone = 'Asia/Tokyo' as Timezone
  const after = { ...person.user, timezone, version: person.user.version + 1, updatedAt: now }
  const changes = changesBetween(person.user, after)
  return { user: after, ...planUserChange(planner, { person, after, changes, now }) }
}

const claimAll = (store: Store) =>
  store.claimDue({
    now: Date.now(),
    limit: 10_000,
    leaseMs: HOUR,
    claimedBy: 'worker',
    render: ({ id }) => `body of ${id}`,
  })

/** Claims everything while users move; returns the claims of those users and how many moved. */
async function claimWhileMoving(store: Store, userIds: string[]) {
  const moves = await Promise.all(userIds.map((userId) => planMove(store, userId)))
  const claiming = claimAll(store)
  const moved = await Promise.all(moves.map((move) => store.updateUser(move)))
  const movers = new Set(userIds)
  const claims = (await claiming).filter(({ user }) => movers.has(user.id))
  return { claims, moved: moved.filter((result) => result === 'updated').length }
}

const settleAll = (store: Store, claims: readonly Claim[]) =>
  store.settle(claims.map((claim) => settlementOf(deps, claim, DELIVERED, Date.now())))

/** Pending events that are not in the zone of their person. */
const pendingInOldZone = () =>
  query(
    stage.database(),
    `SELECT e.id, e.version, e.occurrence, e.timezone, u.timezone AS lives_in
    FROM terce.events e JOIN terce.occasions o ON o.id = e.occasion_id JOIN terce.users u ON u.id = o.user_id
    WHERE e.claimed_at IS NULL AND e.timezone <> u.timezone`,
  )

// The events of the crowd come first, so that the claim has much to do before it comes to those who move.
const CROWD = 5_000

/** On a busy machine all of the first claims may come before the moves: then there are more rounds. */
const ROUNDS = 3
const MOST_ROUNDS = 15

describe('a claim while users change their timezone', () => {
  it('plans nothing by the old zone when their events were pending', async () => {
    const store = await stage.open({ connections: 8 })
    let moved = 0
    for (let round = 0; round < ROUNDS || (moved === 0 && round < MOST_ROUNDS); round++) {
      await store.createUsers(makePeople(CROWD))
      const { people } = await createDuePeople(store, 40)
      const result = await claimWhileMoving(
        store,
        people.map(({ user }) => user.id),
      )
      moved += result.moved
      await settleAll(store, result.claims)
      expect(await pendingInOldZone()).toEqual([])
    }
    expect(moved).toBeGreaterThan(0)
  })

  it('plans nothing by the old zone when their events waited for a retry', async () => {
    const store = await stage.open({ connections: 8 })
    let moved = 0
    for (let round = 0; round < ROUNDS || (moved === 0 && round < MOST_ROUNDS); round++) {
      const { people } = await createDuePeople(store, 40)
      const tried = await claimAll(store)
      await store.settle(tried.map((claim) => settlementOf(deps, claim, UNAVAILABLE, Date.now())))
      await store.createUsers(makePeople(CROWD))
      const result = await claimWhileMoving(
        store,
        people.map(({ user }) => user.id),
      )
      moved += result.moved
      await settleAll(store, result.claims)
      expect(await pendingInOldZone()).toEqual([])
    }
    expect(moved).toBeGreaterThan(0)
  })
})
