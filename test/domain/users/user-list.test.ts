import { describe, expect, it } from 'vitest'
import { formatPlace, parsePlace } from '../../../src/domain/users/user-list.ts'

const ID = '019a84f1-8c00-7000-8000-2f6b1c9d3e4a'

describe('the cursor of a list of users', () => {
  it('is read as it was written', () => {
    const places = [
      { by: 'createdAt', id: ID, createdAt: Date.UTC(2026, 10, 15) },
      { by: 'name', id: ID, name: 'ada lovelace=1@2' },
      { by: 'dueAt', id: ID, dueAt: Date.UTC(2026, 10, 16) },
      { by: 'dueAt', id: ID, dueAt: null },
    ] as const
    for (const place of places) expect(parsePlace(formatPlace(place))).toEqual(place)
  })

  it('is rejected with a value that no user can have', () => {
    // PostgreSQL stores neither.
    expect(parsePlace(`${ID}=a\u0000`)).toBeNull()
    expect(parsePlace(`${ID}@999999999999999`)).toBeNull()
    expect(parsePlace(`${ID}@-99999999999999`)).toBeNull()
    expect(parsePlace(`${ID}@1.5`)).toBeNull()
    expect(parsePlace('ada')).toBeNull()
  })
})
