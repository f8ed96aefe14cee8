// A test that fails, with a name that a shell and a regular expression would misread.
import { describe, expect, it } from 'vitest'

it('passes', () => {})

describe("it's a suite > that fails", () => {
  it('for a (good) reason', () => {
    expect(1).toBe(2)
  })
})
