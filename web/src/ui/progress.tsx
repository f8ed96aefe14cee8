// The progress of a long run: a bar, the count, and, once it can be estimated, the rate and the time left.
import { durationText } from '../clock/format.ts'

type ProgressProps = { label: string; done: number; total: number; elapsedMs: number; unit: string }

export function Progress({ label, done, total, elapsedMs, unit }: ProgressProps) {
  return (
    <div>
      <progress
        aria-label={label}
        value={done}
        max={Math.max(1, total)}
        className="block h-2 w-full appearance-none overflow-hidden rounded bg-raised [&::-moz-progress-bar]:bg-accent-fill [&::-webkit-progress-bar]:bg-raised [&::-webkit-progress-value]:bg-accent-fill"
      />
      <p aria-live="polite" className="mt-1 text-soft text-xs">
        {label}: {paceText({ done, total, elapsedMs, unit })}
      </p>
    </div>
  )
}

/** Before that, a rate would be a guess. */
const RATED_FROM_MS = 1_000

/** `45,000 of 100,000 rows, 11,200/s, 5 s left` */
export function paceText({ done, total, elapsedMs, unit }: Omit<ProgressProps, 'label'>): string {
  const counted = `${done.toLocaleString('en')} of ${total.toLocaleString('en')} ${unit}`
  if (elapsedMs < RATED_FROM_MS || done === 0) return counted
  const rate = `${Math.max(1, Math.round((done * 1_000) / elapsedMs)).toLocaleString('en')}/s`
  const leftMs = (elapsedMs / done) * (total - done)
  return done >= total ? `${counted}, ${rate}` : `${counted}, ${rate}, ${durationText(leftMs)} left`
}
