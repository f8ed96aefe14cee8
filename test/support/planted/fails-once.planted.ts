// A test that fails in the first of two runs that share the file of PLANTED_STATE.
import { existsSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('fails in the first run only', () => {
  const state = process.env.PLANTED_STATE!
  const ranBefore = existsSync(state)
  writeFileSync(state, '')
  expect(ranBefore, 'this is the first run').toBe(true)
})
