// Generates people whose due time falls within the run, and their edits around it.
import type { Dice } from '../../simulation/support/dice.ts'
import { dueIn, nextYear } from '../../support/oracle/birthdays.ts'
import type { Settings } from '../../support/oracle/clock.ts'
import { localAt, PLACES, placesAt } from './places.ts'

export type Facts = Settings & { firstName: string; lastName: string }
/** `late-move` moves a person to a timezone where their time has passed: their event is then due at once. */
export type ScriptedEdit = { at: number; kind: 'rename' | 'move' | 'late-move' | 'correct' | 'delete' }
export type NewPerson = { facts: Facts; edits: ScriptedEdit[] }

/** People who are created together. Some are due at one instant, the others when they move, at any time up to `until`. */
export type Wave = { at: number; deliverAt: string; until: number; people: number; name: string }

/** How long before and after the due time an edit may be. */
const AROUND_MS = 2_500
const MOVERS = 0.5
const DAY_MS = 86_400_000
/** A person who will move is not due before the move. */
const SOON_MS = 600_000
const EDITS = [
  ['rename', 0.12],
  ['move', 0.12],
  ['correct', 0.08],
  ['delete', 0.08],
] as const

export function generatePeople(wave: Wave, now: number, dice: Dice): NewPerson[] {
  const places = placesAt(wave.at, wave.deliverAt)
  const waiting = ahead(wave, now)
  const movers = wave.at > now ? MOVERS : 1
  return Array.from({ length: wave.people }, (_, i) => {
    const person = { firstName: 'Ada', lastName: `Lovelace ${wave.name}-${i}` }
    if (!dice.chance(movers)) {
      const timezone = dice.pick(places)
      const dateOfBirth = birthday(localAt(wave.at, timezone).date, dice)
      return { facts: { ...person, dateOfBirth, timezone }, edits: editsAround(wave.at, dice) }
    }
    const moveAt = dice.between(now, Math.max(now, wave.until))
    const edits = editsAround(moveAt, dice).filter(({ kind }) => kind !== 'move')
    const { day, timezone } = dice.pick(waiting)
    return {
      facts: { ...person, dateOfBirth: birthday(day, dice), timezone },
      edits: [{ at: moveAt, kind: 'late-move' as const }, ...edits].sort(inOrder),
    }
  })
}

/** Each kind of edit happens to a person at most once: a late repeat of a request then cannot undo a later edit. */
function editsAround(at: number, dice: Dice): ScriptedEdit[] {
  return EDITS.filter(([, probability]) => dice.chance(probability))
    .map(([kind]) => ({ at: at + dice.between(-AROUND_MS, AROUND_MS), kind }))
    .sort(inOrder)
}

/** By time, with the deletion last. */
function inOrder(a: ScriptedEdit, b: ScriptedEdit): number {
  return Number(a.kind === 'delete') - Number(b.kind === 'delete') || a.at - b.at
}

/** Days and timezones whose due time is hours ahead, and has passed in another timezone. */
function ahead({ deliverAt }: Wave, now: number): { day: string; timezone: string }[] {
  return PLACES.flatMap((timezone) =>
    [localAt(now, timezone).date, localAt(now + DAY_MS, timezone).date].map((day) => ({ day, timezone })),
  ).filter(({ day, timezone }) => {
    const settings = { dateOfBirth: day, timezone }
    const due = dueIn(nextYear(settings, deliverAt, { now, after: null }), settings, deliverAt)
    return due > now + SOON_MS && due < now + DAY_MS && latePlaces(settings, deliverAt, now).length > 0
  })
}

/** Timezones where the person's next due time has passed. */
export function latePlaces(settings: Settings, localTime: string, now: number): string[] {
  const year = nextYear(settings, localTime, { now, after: null })
  return PLACES.filter((timezone) => dueIn(year, { ...settings, timezone }, localTime) < now)
}

/** In a leap year, so that 29 February exists. */
function birthday(date: string, dice: Dice): string {
  return `${dice.pick([1948, 1964, 1980, 1996, 2004])}${date.slice(4)}`
}
