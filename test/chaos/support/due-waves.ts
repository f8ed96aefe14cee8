// Waves of people who are due at the same instant. Each wave needs an API process with its own DELIVER_AT, and the time of
// a start depends on the machine: the next instant is chosen as far ahead as the last start took.
import { setTimeout as sleep } from 'node:timers/promises'
import { createDice } from '../../simulation/support/dice.ts'
import type { Api } from './api-process.ts'
import { localAt, PLACES } from './places.ts'
import type { Population } from './population.ts'
import { generatePeople } from './user-script.ts'

export type Waves = {
  /** Starts the API for the first wave. Resolves when the wave may be created. */
  prepare(): Promise<void>
  /** How far ahead of its due instant a wave is prepared on this machine. */
  leadMs(): number
  /** Creates wave after wave until that instant. */
  roll(until: number): Promise<void>
  /** Creates one more wave with the current API process. */
  come(people: number, until: number): void
}

/** The time that creating a wave takes. */
const CREATED_WITHIN_MS = 2_500
const LEAST_LEAD_MS = 8_000
const FIRST_TRIES = 6
const LONGEST_GAP_MS = 20_000

/** Without the first and last timezones of the day: from there nobody can move to a later local time. */
const CLOCKS = PLACES.filter((place) => !['Pacific/Honolulu', 'Pacific/Kiritimati'].includes(place))

export function createWaves(
  { api, population }: { api: Api; population: Population },
  options: { seed: number; people: number },
): Waves {
  const dice = createDice(options.seed).fork()
  let leadMs = LEAST_LEAD_MS
  let count = 0
  let next = { at: 0, deliverAt: '' }

  /** False if the API started too late to create the wave in time, or did not start. */
  async function open(): Promise<boolean> {
    const from = Date.now()
    const at = wholeSecond(from + leadMs)
    const deliverAt = localAt(at, dice.pick(CLOCKS)).time
    next = { at, deliverAt }
    const opened = await api.restart(deliverAt, dice.chance(0.5) ? 'SIGTERM' : 'SIGKILL')
    const tookMs = Date.now() - from
    leadMs = Math.max(LEAST_LEAD_MS, 1.5 * tookMs + CREATED_WITHIN_MS)
    return opened && at - Date.now() >= CREATED_WITHIN_MS
  }

  function come(people: number, until: number): void {
    count += 1
    const name = `${options.seed}${String(count).padStart(3, '0')}`
    const wave = generatePeople({ ...next, until, people, name }, Date.now(), dice)
    population.create(wave, name, dice)
  }

  return {
    prepare: async () => {
      for (let tries = 0; !(await open()); tries++)
        if (tries === FIRST_TRIES)
          throw new Error(`The API needs ${leadMs} ms to start, and starts ever later.`)
    },
    leadMs: () => leadMs,
    async roll(until) {
      let last = Date.now()
      const perMs = options.people / (until - last)
      for (let ready = true; ; ready = await open()) {
        if (ready && next.at <= until) {
          // As many people as the time since the last wave allows, up to LONGEST_GAP_MS.
          const more = Math.round(Math.min(next.at - last, LONGEST_GAP_MS) * perMs)
          last = next.at
          come(more, Math.min(until, next.at + leadMs))
          await sleep(CREATED_WITHIN_MS)
        }
        if (Date.now() + leadMs > until) break
      }
      if (Date.now() < until) come(Math.round((until - last) * perMs), until)
    },
    come,
  }
}

/** DELIVER_AT is a whole second. */
function wholeSecond(at: number): number {
  return Math.ceil(at / 1000) * 1000
}
