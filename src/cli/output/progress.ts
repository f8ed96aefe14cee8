// Shows the progress of a long run: a bar on a terminal, with rate and time left; a line for each tenth elsewhere.
import { grouped, shortDuration } from './words.ts'

type Screen = { isTTY?: boolean; write(text: string): unknown }

/** The finished share, from 0 to 1, a label, and the number of items that the rate is computed from. */
type ShowProgress = (done: number, label: string, count?: number) => void

const WIDTH = 30
/** Before that, a rate would be a guess. */
const RATED_FROM_MS = 1_000
const CLEAR_TO_END = '\x1b[K'

export function createProgress(screen: Screen, now = () => performance.now()): ShowProgress {
  const startedAt = now()
  let tenths = 0
  return (done, label, count) => {
    const percent = `${Math.floor(done * 100)} %`
    if (screen.isTTY) {
      const bar = '#'.repeat(Math.floor(done * WIDTH)).padEnd(WIDTH, '.')
      const pace = paceOf(done, now() - startedAt, count)
      screen.write(`\r[${bar}] ${percent.padStart(5)}  ${label}${pace}${CLEAR_TO_END}${done < 1 ? '' : '\n'}`)
    } else if (Math.floor(done * 10) > tenths) {
      tenths = Math.floor(done * 10)
      screen.write(`${percent.padStart(5)}  ${label}\n`)
    }
  }
}

/** `  2,500/s, 12.0 s left` */
function paceOf(done: number, elapsedMs: number, count: number | undefined): string {
  if (elapsedMs < RATED_FROM_MS || done <= 0) return ''
  const rate = count === undefined ? [] : [`${grouped(Math.round((count * 1000) / elapsedMs))}/s`]
  const time =
    done < 1 ? `${shortDuration((elapsedMs / done) * (1 - done))} left` : `in ${shortDuration(elapsedMs)}`
  return `  ${[...rate, time].join(', ')}`
}
