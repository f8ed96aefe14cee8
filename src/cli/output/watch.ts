// Looks at something again and again until a signal, or a reader that has seen enough, ends it.
import { setTimeout as sleep } from 'node:timers/promises'

/** The signal is aborted on SIGINT, SIGTERM, and when nobody reads the output any more. */
export async function untilStopped(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  const onOutput = (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    stop()
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  process.stdout.on('error', onOutput)
  try {
    await work(stopping.signal)
  } catch (error) {
    // What was under way broke off.
    if (!stopping.signal.aborted) throw error
  } finally {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
    process.stdout.off('error', onOutput)
  }
}

/** A failure of the first look is thrown on: it was asked for wrongly. A later one may pass. */
export async function lookEverySecond(
  look: () => Promise<void>,
  { signal, onTrouble }: { signal: AbortSignal; onTrouble: (error: Error) => void },
): Promise<void> {
  await look()
  for (let troubled = false; await pause(signal); ) {
    try {
      await look()
      troubled = false
    } catch (error) {
      if (!troubled && !signal.aborted) onTrouble(error as Error)
      troubled = true
    }
  }
}

/** False if it was stopped meanwhile. */
function pause(signal: AbortSignal): Promise<boolean> {
  return sleep(1_000, true, { signal }).catch(() => false)
}
