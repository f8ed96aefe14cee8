// Who comes to town and what becomes of them: people whose instant falls within the run, with changes of mind around it.
import type { Dice } from '../../simulation/support/dice.ts'
import { dueIn, nextYear, PLACES, placesAt, type Settings, wallAt } from './expected-instant.ts'

export type Facts = Settings & { firstName: string; lastName: string }
/** `late` moves somebody to where their time has passed: what is owed to them is then due at once. */
export type LifeEvent = { at: number; kind: 'rename' | 'move' | 'late-move' | 'correct' | 'delete' }
export type Newcomer = { facts: Facts; life: LifeEvent[] }

/** People who come together. Some are due at one instant, the others when they move, at any time up to `until`. */
export type Wave = { at: number; deliverAt: string; until: number; people: number; name: string }

/** How long before and after the instant somebody may change their mind. */
const AROUND_MS = 2_500
const MOVERS = 0.5
const DAY_MS = 86_400_000
/** Nobody who has yet to move is due before they do. */
const SOON_MS = 600_000
const LIFE = [
  ['rename', 0.12],
  ['move', 0.12],
  ['correct', 0.08],
  ['delete', 0.08],
] as const

export function newcomers(wave: Wave, now: number, dice: Dice): Newcomer[] {
  const places = placesAt(wave.at, wave.deliverAt)
  const waiting = ahead(wave, now)
  const movers = wave.at > now ? MOVERS : 1
  return Array.from({ length: wave.people }, (_, i) => {
    const person = { firstName: 'Ada', lastName: `Lovelace ${wave.name}-${i}` }
    if (!dice.chance(movers)) {
      const timezone = dice.pick(places)
      const dateOfBirth = birthday(wallAt(wave.at, timezone).date, dice)
      return { facts: { ...person, dateOfBirth, timezone }, life: lifeAround(wave.at, dice) }
    }
    const moveAt = dice.between(now, Math.max(now, wave.until))
    const life = lifeAround(moveAt, dice).filter(({ kind }) => kind !== 'move')
    const { day, timezone } = dice.pick(waiting)
    return {
      facts: { ...person, dateOfBirth: birthday(day, dice), timezone },
      life: [{ at: moveAt, kind: 'late-move' as const }, ...life].sort(inOrder),
    }
  })
}

/** Each thing happens to a person once at most: a request repeated late can then not undo a later one. */
function lifeAround(at: number, dice: Dice): LifeEvent[] {
  return LIFE.filter(([, probability]) => dice.chance(probability))
    .map(([kind]) => ({ at: at + dice.between(-AROUND_MS, AROUND_MS), kind }))
    .sort(inOrder)
}

/** By time; but who is gone is gone. */
function inOrder(a: LifeEvent, b: LifeEvent): number {
  return Number(a.kind === 'delete') - Number(b.kind === 'delete') || a.at - b.at
}

/** Days and places whose time is still hours off there and has passed elsewhere. */
function ahead({ deliverAt }: Wave, now: number): { day: string; timezone: string }[] {
  return PLACES.flatMap((timezone) =>
    [wallAt(now, timezone).date, wallAt(now + DAY_MS, timezone).date].map((day) => ({ day, timezone })),
  ).filter(({ day, timezone }) => {
    const settings = { dateOfBirth: day, timezone }
    const due = dueIn(nextYear(settings, deliverAt, { now, after: null }), settings, deliverAt)
    return due > now + SOON_MS && due < now + DAY_MS && latePlaces(settings, deliverAt, now).length > 0
  })
}

/** Where the time of somebody's next greeting has passed. */
export function latePlaces(settings: Settings, localTime: string, now: number): string[] {
  const year = nextYear(settings, localTime, { now, after: null })
  return PLACES.filter((timezone) => dueIn(year, { ...settings, timezone }, localTime) < now)
}

/** In a leap year, for whoever is born on a leap day. */
function birthday(date: string, dice: Dice): string {
  return `${dice.pick([1948, 1964, 1980, 1996, 2004])}${date.slice(4)}`
}
