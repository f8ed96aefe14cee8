// Saves of occasions as contract tests make them: of the birthday that a person was made with, or of a new one.
import type { Occasion } from '../../../src/domain/occasions/occasion.ts'
import type { NewPerson, OccasionSave, OpenChange, Store } from '../../../src/ports/store.ts'
import { HOUR, T0 } from '../../support/fixtures.ts'
import { eventsOf } from './steps.ts'

export const NOTHING: OpenChange = { kind: 'insert', event: null }

export function saveOf(occasion: Occasion, over: Partial<OccasionSave> = {}): OccasionSave {
  return { occasion, task: null, userVersion: 1, open: NOTHING, at: T0, ...over }
}

/** The one that a person was made with, a version on. */
export function changed({ occasions }: NewPerson, over: Partial<Occasion> = {}): Occasion {
  return { ...occasions[0]!, localTime: '10:00', version: 2, ...over }
}

/** Its event, seen pending as it was planted, an hour later. */
export function moveOf({ events }: NewPerson, over = {}): OpenChange & { kind: 'reschedule' } {
  const [event] = events
  const to = { ...event!, targetAt: event!.targetAt + HOUR, ...over }
  return { kind: 'reschedule', eventId: event!.id, version: 1, to }
}

/** Everything that the port shows of a person. */
export async function allOf(store: Store, { user }: NewPerson) {
  return {
    person: await store.readPerson(user.id),
    events: await eventsOf(store, user.id),
    tasks: await store.listTasks({ limit: 10, cursor: null, userId: user.id }),
  }
}
