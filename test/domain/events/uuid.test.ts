// Ids: valid, ordered and unique UUIDs that carry their instant.
import { describe, expect, it } from 'vitest'
import { createIds, parseUuid } from '../../../src/domain/events/uuid.ts'
import { seededDice } from '../../support/fixtures.ts'

const AT = Date.parse('2026-11-15T12:34:56.789Z')
const V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const timeOf = (id: string) => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

describe('createIds()', () => {
  it('creates UUIDs of version 7 with the given instant as their time', () => {
    const ids = createIds(seededDice(1))
    for (const at of [0, 1, AT, Date.parse('9999-12-31T23:59:59.999Z')]) {
      const id = ids(at)
      expect(id).toMatch(V7)
      expect(timeOf(id)).toBe(at)
    }
  })

  it('creates a valid UUID for an instant before 1970 or between milliseconds', () => {
    const ids = createIds(seededDice(1))
    expect(ids(-5)).toMatch(V7)
    expect(timeOf(ids(-5))).toBe(0)
    expect(timeOf(ids(AT + 0.75))).toBe(AT)
  })

  it('creates unique ids that sort in creation order within one instant', () => {
    const ids = createIds(seededDice(2))
    const made = Array.from({ length: 100_000 }, () => ids(AT))
    expect(new Set(made).size).toBe(100_000)
    let inOrder = true
    for (let i = 1; i < made.length; i++) inOrder &&= made[i - 1]! < made[i]!
    expect(inOrder).toBe(true)
  })

  it('creates different ids in two sources', () => {
    const sources = [createIds(seededDice(4)), createIds(seededDice(5))]
    const made = sources.flatMap((ids) => Array.from({ length: 10_000 }, () => ids(AT)))
    expect(new Set(made).size).toBe(20_000)
  })

  it.each([0, 0.5, 1 - 2 ** -53])('creates a valid UUID when random() returns %d', (thrown) => {
    const ids = createIds(() => thrown)
    for (let i = 0; i < 10; i++) expect(ids(AT)).toMatch(V7)
  })
})

describe('parseUuid()', () => {
  it('returns the id in lower case', () => {
    const id = '018F3C4E-7A10-7000-8000-00000000ABCD'
    expect(parseUuid(id)).toBe(id.toLowerCase())
    expect(parseUuid(createIds(seededDice(6))(AT))).toMatch(V7)
  })

  it.each([
    '',
    '018f3c4e7a1070008000000000000001',
    '018f3c4e-7a10-7000-8000-00000000000',
    '018f3c4e-7a10-7000-8000-0000000000012',
    '018f3c4e-7a10-7000-8000-00000000000g',
    '{018f3c4e-7a10-7000-8000-000000000001}',
    ' 018f3c4e-7a10-7000-8000-000000000001',
    '018f3c4e-7a10-7000-8000-000000000001\n',
    "1' OR '1'='1",
  ])('returns null for “%s”', (text) => {
    expect(parseUuid(text)).toBeNull()
  })
})
