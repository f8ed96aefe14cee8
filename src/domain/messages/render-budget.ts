// Limits the work of rendering one message, counted in units and in CPU time. Reads no clock of its own.
import { TemplateError } from '../errors.ts'

/** The most characters that the values of one text may have together, and that one filter may make. */
export const RENDERED_MAX = 65_536
/**
 * The most units of work for one message: its text, its HTML and its subject. A character that is read, searched or made is one
 * unit, and takes up to 10 ns. The costliest accepted templates take about 10 ms.
 */
export const WORK_MAX = 524_288
/** Every tag, output, variable, filter and operator takes these units in addition to its characters: about 2 µs. */
const STEP_WORK = 128
/** Every value that is written in the text, evaluated or not. */
export const VALUE_WORK = 64
/** Every element of a list, such as `split` makes. */
const ELEMENT_WORK = 32
/** A guard for work that the units underestimate, or for a slow machine. */
export const CPU_MAX_MS = 50

/** `cpuMs` is missing where the runtime cannot measure it: the units alone limit a rendering there. */
export type CpuClock = { cpuMs?: () => number }

export const TOO_LONG = 'The text is too long. Shorten the template.'
const TOO_MUCH_WORK = 'Rendering takes too much work. Use fewer tags and filters.'
const TOO_SLOW = `Rendering takes more than ${CPU_MAX_MS} ms of CPU time. Use fewer tags and filters.`

/** A message that reached a limit. */
export class LimitError extends TemplateError {
  constructor(message: string) {
    super(message, 'TEMPLATE_LIMIT')
    this.name = 'LimitError'
  }
}

const CHECK_EVERY = 4_096

/** For one message. */
export class RenderBudget {
  work = 0
  isTooSlow = false
  readonly #cpuMs: (() => number) | undefined
  #startedMs = 0
  #nextCheck = CHECK_EVERY

  constructor({ cpuMs }: CpuClock = {}) {
    this.#cpuMs = cpuMs
  }

  step(characters = 0): void {
    this.use(STEP_WORK + characters)
  }

  /** Charges work before it is done. */
  use(units: number): void {
    if (this.work === 0 && this.#cpuMs !== undefined) this.#startedMs = this.#cpuMs()
    this.work += units
    if (this.work > WORK_MAX) throw new LimitError(TOO_MUCH_WORK)
    if (this.work < this.#nextCheck) return
    this.#nextCheck = this.work + CHECK_EVERY
    this.checkTime()
  }

  /** For the end of a message too: its last step may be the slow one. */
  checkTime(): void {
    if (this.work === 0 || this.#cpuMs === undefined) return
    this.isTooSlow = this.#cpuMs() - this.#startedMs > CPU_MAX_MS
    if (this.isTooSlow) throw new LimitError(TOO_SLOW)
  }
}

/**
 * Renders one message within the limits. A rendering that is too slow is repeated once: the CPU time of a thread includes its
 * garbage collection, and a long pause for it must not fail a message.
 */
export function renderWithin<T>(clock: CpuClock, render: (budget: RenderBudget) => T): T {
  for (let isRepeated = false; ; isRepeated = true) {
    const budget = new RenderBudget(clock)
    try {
      const made = render(budget)
      budget.checkTime()
      return made
    } catch (error) {
      if (!budget.isTooSlow || isRepeated) throw error
    }
  }
}

/** The units for reading or making a value. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (!Array.isArray(value)) return 0
  let size = value.length * ELEMENT_WORK
  for (const element of value) size += sizeOf(element)
  return size
}

/** V8 compares up to every character of the pattern at every position, at 0.6 ns each. */
export function searchWork(text: unknown, pattern: unknown): number {
  return sizeOf(text) * Math.ceil(sizeOf(pattern) / 16)
}
