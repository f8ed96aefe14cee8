// Setup of the project `postgres`: a deprecation warning fails the test that caused it. pg warns of a query on a client whose last
// query has no result yet, once for each process.
import { afterEach, expect } from 'vitest'

const warnings: string[] = []
process.on('warning', ({ name, stack = '' }) => {
  if (name === 'DeprecationWarning') warnings.push(stack)
})

afterEach(() => {
  expect(warnings.splice(0)).toEqual([])
})
