// Commitments and headers: their exact texts, which must not change within one format.
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { LedgerLine } from '../../../src/domain/ledger/line.ts'
import { commitmentOf, headerHash, headerText, NO_PREVIOUS } from '../../../src/domain/ledger/seal.ts'

const LINE: LedgerLine = {
  column: 'excused',
  reason: 'PAUSED',
  occasionId: '019a9000-0000-7000-8000-000000000001',
  eventId: '019a9000-0000-7000-8000-000000000002',
  occurrence: '2026-11-17',
  dueAt: 1_795_000_000_000,
  settledAt: 1_795_000_001_000,
  attempt: 1,
  entry: 7,
  because: '019a9000-0000-7000-8000-000000000003',
  carriedFrom: '2026-11-16',
}
const SALT = '00112233445566778899aabbccddeeff'
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

describe('the commitment of a line', () => {
  it('is the SHA-256 of a JSON array of the salt and all fields', () => {
    const text =
      '["00112233445566778899aabbccddeeff","excused","PAUSED","019a9000-0000-7000-8000-000000000001",' +
      '"019a9000-0000-7000-8000-000000000002","2026-11-17",1795000000000,1795000001000,1,7,' +
      '"019a9000-0000-7000-8000-000000000003","2026-11-16"]'
    expect(commitmentOf(LINE, SALT)).toBe(sha256(text))
  })

  it('differs when any field or the salt differs', () => {
    const changes: Partial<LedgerLine>[] = [
      { column: 'failed' },
      ...Object.keys(LINE)
        .filter((name) => name !== 'column')
        .map((name) => ({ [name]: null })),
    ]
    expect(changes).toHaveLength(11)
    const all = changes.map((change) => commitmentOf({ ...LINE, ...change }, SALT))
    all.push(commitmentOf(LINE, SALT), commitmentOf(LINE, SALT.replace('0', '1')))
    expect(new Set(all).size).toBe(13)
  })
})

describe('the header of a day', () => {
  const HEADER = `format terce-ledger/1
day 2026-11-17
previous ${NO_PREVIOUS}
root ${'ab'.repeat(32)}
lines 106
expected 105
delivered 90
late 4
failed 3
excused 5
open 6
unexplained 2
surplus 1
carried 8
people 1000
tzVersion 2026a
closedAt 2026-11-18T12:00:03.004Z
`

  it('is a text with one name and value per line', () => {
    const text = headerText({
      day: '2026-11-17',
      previous: NO_PREVIOUS,
      root: 'ab'.repeat(32),
      people: 1000,
      tzVersion: '2026a',
      closedAt: Date.UTC(2026, 10, 18, 12, 0, 3, 4),
      expected: 105,
      delivered: 90,
      late: 4,
      failed: 3,
      excused: 5,
      open: 6,
      unexplained: 2,
      surplus: 1,
      carried: 8,
    })
    expect(text).toBe(HEADER)
  })

  it('has the SHA-256 of its text as its hash', () => {
    expect(headerHash(HEADER)).toBe(sha256(HEADER))
  })
})
