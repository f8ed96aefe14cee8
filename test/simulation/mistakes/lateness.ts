// Mistakes with late messages.
import { DELIVER_ALWAYS, latenessOf } from '../../../src/domain/events/lateness.ts'
import type { Mistake } from './mistake.ts'

const neverTooLate: Mistake = {
  name: 'never-too-late',
  description: 'Every message is sent, however late.',
  breaks: ['nothing after the lateness limit', 'right text and address'],
  engine: () => ({ lateness: DELIVER_ALWAYS }),
}

const oneLimitForAll: Mistake = {
  name: 'one-limit-for-all',
  description: 'The lateness limit for other kinds is applied to every kind.',
  breaks: ['right text and address', 'nothing after the lateness limit', 'failure reason is true'],
  engine: ({ lateness }) => ({ lateness: new Map([['*', latenessOf(lateness, '*')]]) }),
}

const belatedIsMissed: Mistake = {
  name: 'belated-is-missed',
  description: 'A belated message is not sent.',
  breaks: ['failure reason is true'],
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

export const LATENESS_MISTAKES: readonly Mistake[] = [neverTooLate, oneLimitForAll, belatedIsMissed]
