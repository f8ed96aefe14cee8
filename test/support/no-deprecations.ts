// Setup of the project `postgres`: a deprecation warning fails the test that caused it. pg warns of a query on a client whose last
// query has no result yet, once for each process. Prisma does so itself: it rolls a transaction back at its time limit while a statement runs.
import { afterAll, afterEach, expect } from 'vitest'

const warnings: string[] = []
const keep = ({ name, stack = '' }: Error) => {
  if (name === 'DeprecationWarning' && !stack.includes('/@prisma/')) warnings.push(stack)
}
process.on('warning', keep)
// The process runs further files, each with this setup.
afterAll(() => void process.off('warning', keep))

afterEach(() => {
  expect(warnings.splice(0)).toEqual([])
})
