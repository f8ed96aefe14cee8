// Chooses people who are due at one instant in front of a slow receiver, and who are deleted or paused while their
// messages wait in a worker.
import { DAY, SECOND } from '../../support/fixtures.ts'
import type { Edit, Fault } from '../scenario.ts'
import type { Dice } from '../support/dice.ts'

export type Crowd = { edits: Edit[]; faults: Fault[] }

const NOBODY: Crowd = { edits: [], faults: [] }

/** `firstPerson` is the number of the first of them. */
export function chooseCrowd(dice: Dice, firstPerson: number, from: number): Crowd {
  if (dice.chance(0.6)) return NOBODY
  const day = new Date(Math.floor(from / DAY) * DAY + dice.between(2, 300) * DAY).toISOString().slice(0, 10)
  const dueAt = Date.parse(`${day}T09:00:00Z`)
  const people = Array.from({ length: dice.between(6, 9) }, (_, i) => firstPerson + i)
  const ms = dice.between(3, 12) * SECOND
  return {
    edits: people.flatMap((person) => choosePerson(dice, person, dueAt, day)),
    // After the first messages: a worker that knows a slow receiver claims hardly anything ahead.
    faults: [
      {
        kind: 'reply',
        at: dueAt + dice.between(0, 300),
        channel: 0,
        times: dice.between(2, 6),
        reply: { kind: 'slow', ms },
      },
    ],
  }
}

function choosePerson(dice: Dice, person: number, dueAt: number, day: string): Edit[] {
  const input = {
    firstName: `First${person}`,
    lastName: 'Crowd',
    dateOfBirth: `1980${day.slice(4)}`,
    timezone: 'Etc/UTC',
  }
  const birthday = { channel: null, notAfter: null }
  const stop: Edit = dice.chance(0.5)
    ? { at: 0, person, kind: 'delete' }
    : { at: 0, person, kind: 'pause occasion', occasion: null }
  return [
    { at: dueAt - DAY, person, kind: 'create', input, birthday },
    { ...stop, at: dueAt + dice.between(200, 12 * SECOND) },
  ]
}
