// Every code that the account gives a line is in the table, and no other.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { LEDGER_REASONS, reasonText } from '../../../src/domain/ledger/reasons.ts'

const ACCOUNT = new URL('../../../src/domain/ledger/account/', import.meta.url)
/** Codes of the domain that are not reasons: the states of events, and how an occasion repeats. */
const OTHERS = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'YEARLY']

/** The codes in quotes, and those that need evidence with the suffix of the missing evidence. */
function codesOfAccount(): Set<string> {
  const sources = readdirSync(ACCOUNT).map((name) => readFileSync(new URL(name, ACCOUNT), 'utf8'))
  const codes = new Set<string>()
  for (const source of sources) {
    for (const [, code] of source.matchAll(/'([A-Z]+(?:_[A-Z]+)*)'/g)) codes.add(code!)
    const [, evidence = ''] = /^const EVIDENCE.*?\{\n(.*?)^\}/ms.exec(source) ?? []
    for (const [, code] of evidence.matchAll(/^ {2}([A-Z_]+)\b/gm)) {
      codes.add(code!)
      codes.add(`${code}_NOT_RECORDED`)
    }
  }
  for (const other of OTHERS) codes.delete(other)
  return codes
}

it('has every reason code of the account, and no code that the account does not use', () => {
  expect([...codesOfAccount()].sort()).toEqual(Object.keys(LEDGER_REASONS).sort())
})

it('words a reason by its column', () => {
  expect(reasonText({ column: 'delivered', reason: null })).toBe('It was delivered.')
  expect(reasonText({ column: 'open', reason: 'IN_FLIGHT' })).toBe('It is in flight.')
  expect(reasonText({ column: 'failed', reason: 'HTTP 410' })).toBe(
    'It failed: the receiver responded with HTTP 410.',
  )
  expect(reasonText({ column: 'failed', reason: 'RETRIES_EXHAUSTED' })).toBe('It failed: every retry failed.')
})
