// Claims of processes of their own, each with a connection of its own.
import { describe, expect, it } from 'vitest'
import { MINUTE, makePeople, T0 } from '../../support/fixtures.ts'
import type { Current } from '../store.contract.ts'
import { create, sorted } from './steps.ts'

export function describeProcesses(current: Current): void {
  describe('claiming in processes', () => {
    it('gives each event to one of several processes', async (test) => {
      const { store, spawnClaimer } = current()
      if (spawnClaimer === undefined) return test.skip('This store cannot be reached from another process.')
      const people = makePeople(1_500)
      await create(store, ...people)
      const claimed = await Promise.all(
        Array.from({ length: 3 }, () => spawnClaimer({ now: T0 + MINUTE, limit: 20 })),
      )
      expect(sorted(claimed.flat())).toEqual(sorted(people.map(({ events }) => events[0]!.id)))
    })
  })
}
