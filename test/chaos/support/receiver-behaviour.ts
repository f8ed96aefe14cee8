// How the receiver answers: each event has its own bad luck, and now and then the whole receiver has a bad spell.
import { createHash } from 'node:crypto'
import { createDice, type Dice } from '../../simulation/support/dice.ts'

/** `kind` is the everyday mixture, `calm` says yes to all; `lying` says yes and takes nothing: a planted fault. */
export const MOODS = ['kind', 'down', 'hanging', 'busy', 'resetting', 'calm', 'lying'] as const
export type Mood = (typeof MOODS)[number]

export type Reply =
  | { kind: 'accept'; afterMs: number }
  | { kind: 'refuse'; status: number; retryAfterS: number | null }
  | { kind: 'hang' }
  /** The connection is reset, before the message was taken or after. */
  | { kind: 'reset'; accepted: boolean }
  | { kind: 'lie' }

export type Luck = 'good' | 'unwelcome' | 'cursed'

/** Whether an event will ever be taken in a kind mood: a few are refused for good, a few fail at every try. */
export function luckOf(seed: number, key: string): Luck {
  const roll = diceOf(seed, key, 0).roll()
  if (roll < 0.03) return 'unwelcome'
  return roll < 0.06 ? 'cursed' : 'good'
}

/** The answer to the nth arrival of a key. The same seed gives the same answers. */
export function replyTo(mood: Mood, arrival: { seed: number; key: string; nth: number }): Reply {
  const dice = diceOf(arrival.seed, arrival.key, arrival.nth)
  switch (mood) {
    case 'calm':
      return { kind: 'accept', afterMs: 0 }
    case 'lying':
      return { kind: 'lie' }
    case 'down':
      return refuse(dice.pick([500, 502, 503]))
    case 'hanging':
      return { kind: 'hang' }
    case 'busy':
      return refuse(429, 1)
    case 'resetting':
      return { kind: 'reset', accepted: dice.chance(0.5) }
    case 'kind':
      return everyday(dice, luckOf(arrival.seed, arrival.key))
  }
}

function everyday(dice: Dice, luck: Luck): Reply {
  // 410, 401 and 403 are about the receiver as a whole and would switch it off: no event is answered so.
  if (luck === 'unwelcome') return refuse(dice.pick([400, 404, 422]))
  if (luck === 'cursed') return refuse(500)
  const roll = dice.roll()
  if (roll < 0.04) return refuse(503)
  if (roll < 0.06) return refuse(429, 1)
  if (roll < 0.08) return { kind: 'hang' }
  if (roll < 0.1) return { kind: 'reset', accepted: false }
  if (roll < 0.13) return { kind: 'reset', accepted: true }
  return { kind: 'accept', afterMs: roll < 0.25 ? dice.between(100, 1_200) : dice.between(5, 60) }
}

function refuse(status: number, retryAfterS: number | null = null): Reply {
  return { kind: 'refuse', status, retryAfterS }
}

function diceOf(seed: number, key: string, nth: number): Dice {
  const hash = createHash('sha256').update(`${seed} ${key} ${nth}`).digest()
  return createDice(hash.readUInt32BE(0))
}
