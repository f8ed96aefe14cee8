// The lane of an open event: where it goes. A claim is given lanes, so that events which may not be sent now are not read.
import { sha256Hex } from '../formats/sha256.ts'

const known = new Map<string, number>()

/**
 * 48 bits of the hash of the channel that the occasion names, or the negative hash of its type if it names none: a process of the
 * library handles some types only. A number, so that the index stays small; computed, so that no writer reads a table or waits for
 * another one. With a thousand lanes, two are equal with a chance of 1 in 500 million.
 */
export function laneOf({ channelId, type }: { channelId: string | null; type: string }): number {
  return channelId === null ? -1 - hash(`type ${type}`) : hash(channelId)
}

function hash(name: string): number {
  let number = known.get(name)
  if (number === undefined) {
    number = Number.parseInt(sha256Hex(name).slice(0, 12), 16)
    known.set(name, number)
  }
  return number
}

/** The lanes that a caller asks for, and how many events it takes of each. A lane with 0 is not read. */
export type LaneLimits = {
  /** Of each channel that is not listed. */
  ofChannels: number
  /** Of each type without a channel that is not listed. */
  ofDefault: number
  /** In this order, after the others. */
  listed: readonly (readonly [lane: number, limit: number])[]
}

const UNLIMITED = 1_000_000

export const EVERY_LANE: LaneLimits = { ofChannels: UNLIMITED, ofDefault: UNLIMITED, listed: [] }
