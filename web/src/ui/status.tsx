// The status of an event as a symbol and a word, so that it does not depend on colour alone.
import type { EventStatus } from '../api/types.ts'

const SIGNS: Record<EventStatus, { sign: string; word: string; look: string }> = {
  PENDING: { sign: '○', word: 'scheduled', look: 'text-soft' },
  PROCESSING: { sign: '◐', word: 'sending', look: 'text-sending' },
  COMPLETED: { sign: '✓', word: 'sent', look: 'text-sent' },
  FAILED: { sign: '✕', word: 'failed', look: 'text-failed' },
}

/** Open, and its channel is held or down. */
const WAITING = { sign: '◔', word: 'waiting', look: 'text-sending' }

export function statusWord(status: EventStatus): string {
  return SIGNS[status].word
}

type StatusMarkProps = { status: EventStatus; isWaiting?: boolean; word?: boolean }

export function StatusMark({ status, isWaiting = false, word = true }: StatusMarkProps) {
  const { sign, word: text, look } = isWaiting ? WAITING : SIGNS[status]
  return (
    <span className={`inline-flex items-center gap-1.5 whitespace-nowrap ${look}`}>
      <span
        aria-hidden="true"
        className={`w-3 text-center ${status === 'PROCESSING' && !isWaiting ? 'animate-breathe' : ''}`}
      >
        {sign}
      </span>
      <span className={word ? '' : 'sr-only'}>{text}</span>
    </span>
  )
}

const OUTCOMES: Record<string, { word: string; text: string; fill: string }> = {
  DELIVERED: { word: 'delivered', text: 'text-sent', fill: 'fill-sent-fill' },
  RETRY: { word: 'temporary failure', text: 'text-accent', fill: 'fill-accent-fill' },
  FAILED: { word: 'failed', text: 'text-failed', fill: 'fill-failed-fill' },
  RELEASED: { word: 'destination down, no retry used', text: 'text-soft', fill: 'fill-faint' },
  UNKNOWN: { word: 'unknown, may have arrived', text: 'text-doubt', fill: 'fill-doubt' },
}

export function outcomeOf(outcome: string) {
  return OUTCOMES[outcome] ?? { word: outcome.toLowerCase(), text: 'text-soft', fill: 'fill-faint' }
}
