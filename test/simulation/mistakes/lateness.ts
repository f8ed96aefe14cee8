// Mistakes with what is late.
import { DELIVER_ALWAYS, latenessOf } from '../../../src/domain/events/lateness.ts'
import type { Bug } from './mistake.ts'

const neverTooLate: Bug = {
  name: 'never-too-late',
  words: 'Everything is sent, however late.',
  breaks: ['too late is too late', 'said as asked'],
  engine: () => ({ lateness: DELIVER_ALWAYS }),
}

const oneLimitForAll: Bug = {
  name: 'one-limit-for-all',
  words: 'What holds for kinds that are not named holds for all of them.',
  breaks: ['said as asked', 'too late is too late', 'failed for cause'],
  engine: ({ lateness }) => ({ lateness: new Map([['*', latenessOf(lateness, '*')]]) }),
}

const belatedIsMissed: Bug = {
  name: 'belated-is-missed',
  words: 'What is belated is not sent any more.',
  breaks: ['failed for cause'],
  engine: ({ lateness }) => ({
    lateness: new Map(
      [...lateness].map(([type, { belatedAfterMs, missedAfterMs }]) => [
        type,
        {
          belatedAfterMs,
          missedAfterMs: Math.min(belatedAfterMs ?? missedAfterMs ?? Infinity, missedAfterMs ?? Infinity),
        },
      ]),
    ),
  }),
}

export const LATENESS_BUGS: readonly Bug[] = [neverTooLate, oneLimitForAll, belatedIsMissed]
