// differential.test.ts compares the wall clock of a place with that of the planner.
import { expect, it } from 'vitest'
import { readWallClock } from '../../../../src/domain/ledger/expected/wall-clock.ts'

it('the wall clock of a place cannot be read from a text that is not complete', () => {
  for (const rules of ['', '0 3600|01|', '0|02|abc', '0|0|abc', 'x|0|', '0|00|!'])
    expect(() => readWallClock(rules), rules).toThrow(RangeError)
})
