// The keyboard of a field with suggestions.
import { describe, expect, it } from 'vitest'
import { moved } from '../../../web/src/ui/combobox.tsx'

describe('the arrow keys in a list of options', () => {
  it('begin at the first or the last option, and go around', () => {
    expect([moved(-1, 1, 3), moved(0, 1, 3), moved(2, 1, 3)]).toEqual([0, 1, 0])
    expect([moved(-1, -1, 3), moved(2, -1, 3), moved(0, -1, 3)]).toEqual([2, 1, 2])
  })
})
