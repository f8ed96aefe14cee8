// Whether the page receives live updates, and a notice while the server cannot be reached.
import { readerClockText } from '../clock/format.ts'
import { type Connection, lastResponseAt, useConnection } from '../live/connection.ts'

const WORDS: Record<Connection, { word: string; tip: string; look: string }> = {
  connecting: { word: 'connecting…', tip: 'Waiting for the server', look: 'bg-faint' },
  live: {
    word: 'live',
    tip: 'The server announces each change',
    look: 'bg-sent-fill',
  },
  polling: {
    word: 'polling',
    tip: 'No live connection: the page asks every few seconds',
    look: 'bg-accent-fill',
  },
  late: { word: 'server is slow', tip: 'No response for ten seconds', look: 'bg-accent-fill' },
  unreachable: { word: 'offline, retrying…', tip: 'Cannot reach the server', look: 'bg-failed-fill' },
}

export function ConnectionStatus() {
  const { word, tip, look } = WORDS[useConnection()]
  return (
    <span data-tip={tip} className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <span className={`size-1.5 rounded-full ${look}`} />
      {word}
    </span>
  )
}

export function ConnectionNotice() {
  return (
    <p role="status" className="mb-4 rounded-lg border border-failed/40 bg-failed-wash px-4 py-3">
      Offline, retrying. This page shows the state of {readerClockText(lastResponseAt())} (your time).
    </p>
  )
}
