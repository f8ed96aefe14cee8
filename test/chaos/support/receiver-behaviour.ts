// Chooses the replies of the receiver: by event, and by the mode of the whole receiver.
import { createHash } from 'node:crypto'
import { createDice, type Dice } from '../../simulation/support/dice.ts'

/**
 * `mixed` is the usual mixture, `accepting` accepts everything; `unavailable` is the response of a proxy whose receiver is down;
 * `lying` answers 200 and keeps nothing: a planted mistake.
 */
export type ReceiverMode =
  | 'mixed'
  | 'down'
  | 'hanging'
  | 'busy'
  | 'resetting'
  | 'accepting'
  | 'unavailable'
  | 'lying'

export type Reply =
  | { kind: 'accept'; afterMs: number }
  | { kind: 'reject'; status: number; retryAfterS: number | null }
  | { kind: 'hang' }
  /** The connection is reset, before or after the message was accepted. */
  | { kind: 'reset'; accepted: boolean }
  | { kind: 'lie' }

export type Treatment = 'accepted' | 'rejected' | 'failing'

/** How the receiver treats an event in mixed mode: a few are rejected permanently, a few fail at every attempt. */
export function treatmentOf(seed: number, key: string): Treatment {
  const roll = diceOf(seed, key, 0).roll()
  if (roll < 0.03) return 'rejected'
  return roll < 0.06 ? 'failing' : 'accepted'
}

/** The reply to the nth arrival of a key. Equal seeds give equal replies. */
export function replyTo(mode: ReceiverMode, arrival: { seed: number; key: string; nth: number }): Reply {
  const dice = diceOf(arrival.seed, arrival.key, arrival.nth)
  switch (mode) {
    case 'accepting':
      return { kind: 'accept', afterMs: 0 }
    case 'lying':
      return { kind: 'lie' }
    case 'unavailable':
      return reject(503)
    case 'down':
      return reject(dice.pick([500, 502, 503]))
    case 'hanging':
      return { kind: 'hang' }
    case 'busy':
      return reject(429, 1)
    case 'resetting':
      return { kind: 'reset', accepted: dice.chance(0.5) }
    case 'mixed':
      return mixedReply(dice, treatmentOf(arrival.seed, arrival.key))
  }
}

function mixedReply(dice: Dice, treatment: Treatment): Reply {
  // Never 401, 403 or 410: they would pause or disable the whole channel.
  if (treatment === 'rejected') return reject(dice.pick([400, 404, 422]))
  if (treatment === 'failing') return reject(500)
  const roll = dice.roll()
  if (roll < 0.04) return reject(503)
  if (roll < 0.06) return reject(429, 1)
  if (roll < 0.08) return { kind: 'hang' }
  if (roll < 0.1) return { kind: 'reset', accepted: false }
  if (roll < 0.13) return { kind: 'reset', accepted: true }
  return { kind: 'accept', afterMs: roll < 0.25 ? dice.between(100, 1_200) : dice.between(5, 60) }
}

function reject(status: number, retryAfterS: number | null = null): Reply {
  return { kind: 'reject', status, retryAfterS }
}

function diceOf(seed: number, key: string, nth: number): Dice {
  const hash = createHash('sha256').update(`${seed} ${key} ${nth}`).digest()
  return createDice(hash.readUInt32BE(0))
}
