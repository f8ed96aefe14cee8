// The sentence of a line, by its column and its reason.
import { expect, it } from 'vitest'
import { reasonText } from '../../../src/domain/ledger/reasons.ts'

it.each([
  ['delivered', null, 'It was delivered.'],
  ['open', 'IN_FLIGHT', 'It is in flight.'],
  ['failed', 'HTTP 410', 'It failed: the receiver responded with HTTP 410.'],
  ['failed', 'RETRIES_EXHAUSTED', 'It failed: every retry failed.'],
  // Written by a later release.
  ['excused', 'ECLIPSE', 'The recorded reason is ECLIPSE.'],
] as const)('a line in the column %s with the reason %s says "%s"', (column, reason, text) => {
  expect(reasonText({ column, reason })).toBe(text)
})
