// Whether the page is current, and a notice while the server cannot be reached.
import { type Connection, lastResponseAt, useConnection } from '../api/connection.ts'
import { readerClockText } from '../clock/format.ts'

const WORDS: Record<Connection, { word: string; tip: string; look: string }> = {
  live: { word: 'live', tip: 'The page asks the server every few seconds', look: 'bg-sent-fill' },
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
