// The ledger alone, without any other invariant, finds every planted mistake that loses or doubles a message.
import { describe, expect, it } from 'vitest'
import { isInPart } from '../support/part.ts'
import {
  FOUND_BY_LEDGER,
  NO_MESSAGE_LOST_OR_DOUBLED,
  ON_THE_ACCOUNT,
  UNSEEN_BY_LEDGER,
} from './mistakes/by-ledger.ts'
import { findByLedger } from './mistakes/find.ts'
import { MISTAKES } from './mistakes/mistakes.ts'

describe('the ledger alone', () => {
  for (const name of FOUND_BY_LEDGER.filter((_, i) => isInPart(i))) {
    it(`finds the planted mistake ${name}`, async () => {
      const run = await findByLedger(MISTAKES.find((one) => one.name === name)!)
      expect(run?.violation?.rule).toMatch(/^(every day is explained|closed days are complete)$/)
    })
  }

  it('has a place for every planted mistake', () => {
    const unseen = Object.values(UNSEEN_BY_LEDGER).flat()
    const all = [...FOUND_BY_LEDGER, ...unseen, ...ON_THE_ACCOUNT, ...NO_MESSAGE_LOST_OR_DOUBLED]
    expect(all.sort()).toEqual(MISTAKES.map(({ name }) => name).sort())
  })
})
