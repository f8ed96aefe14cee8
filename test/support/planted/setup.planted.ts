// A suite whose setup fails, so that its tests do not run.
import { beforeAll, describe, it } from 'vitest'

it('passes', () => {})

describe('a suite', () => {
  beforeAll(() => {
    throw new Error('The setup fails.')
  })

  it('does not run', () => {})
  it('does not run either', () => {})
})
