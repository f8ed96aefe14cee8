// The key of an occurrence: pinned values, because a receiver compares today's key with last week's.
import { describe, expect, it } from 'vitest'
import { idempotencyKey } from '../../../src/domain/events/idempotency-key.ts'

const id = (last: number) => `018f3c4e-7a10-7000-8000-00000000000${last}`
const key = (user: number, occasion: number, occurrence: string) =>
  idempotencyKey({ userId: id(user), occasionId: id(occasion), occurrence })

describe('an idempotency key', () => {
  // Computed with node:crypto: SHA-256 of the three, a line feed between them, the first 32 characters.
  it.each([
    [1, 2, '2026', 'event-6b8e148d1f5c7a814af8719f48b5d845'],
    [1, 2, '2027', 'event-5b7717003cd9b8147daef6b2dbc30a91'],
    [1, 3, '2026', 'event-3df2a52b0302b5b77a399226b24d6a12'],
    [4, 2, '2026', 'event-56502902cd79750894077713f5cccda7'],
    [1, 2, 'once', 'event-2e8402e46d30b6eed264d0c073134503'],
  ])('of user %i, occasion %i and occurrence %s is always %s', (user, occasion, occurrence, expected) => {
    expect(key(user, occasion, occurrence)).toBe(expected)
  })

  it('of a replay is the key of its original, unless the replay has a key of its own', () => {
    const replay = { userId: id(1), occasionId: id(2), occurrence: '2026~1' }
    expect(idempotencyKey(replay)).toBe(key(1, 2, '2026'))
    expect(idempotencyKey({ ...replay, ownKey: false })).toBe(key(1, 2, '2026'))
    const own = idempotencyKey({ ...replay, ownKey: true })
    const second = idempotencyKey({ ...replay, occurrence: '2026~2', ownKey: true })
    expect(new Set([key(1, 2, '2026'), own, second]).size).toBe(3)
  })
})
