// The world of the test that is running, in which it is shortly before nine on the birthday of everyone.
import { afterEach, beforeEach } from 'vitest'
import type { NewPerson } from '../../../src/ports/store.ts'
import { HOUR, makePeople } from '../../support/fixtures.ts'
import { createWorld, type World } from './world.ts'

/** Nine o'clock on Ada's birthday. */
export const NINE = Date.parse('2026-06-15T09:00:00Z')

export let world: World

export function useWorld(start = NINE - HOUR): void {
  beforeEach(() => {
    world = createWorld(start)
  })
  afterEach(() => world.close())
}

/** Stores people whose events are due at nine. */
export async function dueAtNine(count: number): Promise<NewPerson[]> {
  const people = makePeople(count, () => ({ targetAt: NINE, dateOfBirth: '1990-06-15' }))
  await world.put(...people)
  return people
}
