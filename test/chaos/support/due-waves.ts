// Crowds that fall due together. Each needs an API with a nine o'clock of its own, and how long one takes to start depends
// on the machine: so the next instant is always chosen as far ahead as the last start took.
import { setTimeout as sleep } from 'node:timers/promises'
import { createDice } from '../../simulation/support/dice.ts'
import type { Office } from './api-process.ts'
import { PLACES, wallAt } from './expected-instant.ts'
import type { Town } from './population.ts'
import { newcomers } from './user-script.ts'

export type Waves = {
  /** Opens the office for a first crowd. Resolves when the crowd may come. */
  prepare(): Promise<void>
  /** Lets crowds come, one after the other, until that instant. */
  roll(until: number): Promise<void>
  /** One more crowd, for the office as it is. */
  come(people: number, until: number): void
}

/** A crowd needs so long to be taken in. */
const TAKEN_IN_MS = 2_500
const LEAST_LEAD_MS = 8_000
const FIRST_TRIES = 3
const LONGEST_LINE_MS = 20_000

/** Not the edges of the day: there is no place further on in which to wait for one's time. */
const CLOCKS = PLACES.filter((place) => !['Pacific/Honolulu', 'Pacific/Kiritimati'].includes(place))

export function createWaves(
  { office, town }: { office: Office; town: Town },
  options: { seed: number; people: number },
): Waves {
  const dice = createDice(options.seed).fork()
  let leadMs = LEAST_LEAD_MS
  let count = 0
  let next = { at: 0, deliverAt: '' }

  /** False if it opened too late for anybody to come in time, or not at all. */
  async function open(): Promise<boolean> {
    const from = Date.now()
    const at = wholeSecond(from + leadMs)
    const deliverAt = wallAt(at, dice.pick(CLOCKS)).time
    next = { at, deliverAt }
    const opened = await office.reopen(deliverAt, dice.chance(0.5) ? 'SIGTERM' : 'SIGKILL')
    const tookMs = Date.now() - from
    leadMs = Math.max(LEAST_LEAD_MS, 1.5 * tookMs + TAKEN_IN_MS)
    return opened && at - Date.now() >= TAKEN_IN_MS
  }

  function come(people: number, until: number): void {
    count += 1
    const name = `${options.seed}${String(count).padStart(3, '0')}`
    const crowd = newcomers({ ...next, until, people, name }, Date.now(), dice)
    town.welcome(crowd, name, dice)
  }

  return {
    prepare: async () => {
      for (let tries = 0; tries < FIRST_TRIES && !(await open()); tries++);
    },
    async roll(until) {
      let last = Date.now()
      const perMs = options.people / (until - last)
      for (let ready = true; ; ready = await open()) {
        if (ready && next.at <= until) {
          // As many as the time since the last crowd is worth. Who found no office in a long time has gone elsewhere.
          const more = Math.round(Math.min(next.at - last, LONGEST_LINE_MS) * perMs)
          last = next.at
          come(more, Math.min(until, next.at + leadMs))
          await sleep(TAKEN_IN_MS)
        }
        if (Date.now() + leadMs > until) break
      }
      if (Date.now() < until) come(Math.round((until - last) * perMs), until)
    },
    come,
  }
}

/** Nine o'clock is a whole second. */
function wholeSecond(at: number): number {
  return Math.ceil(at / 1000) * 1000
}
