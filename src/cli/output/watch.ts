// Runs a command that polls until a signal or a closed pipe stops it.
import { setTimeout as sleep } from 'node:timers/promises'

/** The signal is aborted on SIGINT, on SIGTERM, and when the reader closes the pipe. */
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
    // The abort interrupted a request.
    if (!stopping.signal.aborted) throw error
  } finally {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
    process.stdout.off('error', onOutput)
  }
}

/** An error of the first look is thrown: it is probably wrong usage. A later error may pass, so it is reported once. */
export async function lookEverySecond(
  look: () => Promise<void>,
  { signal, onError }: { signal: AbortSignal; onError: (error: Error) => void },
): Promise<void> {
  await look()
  for (let failing = false; await pause(signal); ) {
    try {
      await look()
      failing = false
    } catch (error) {
      if (!failing && !signal.aborted) onError(error as Error)
      failing = true
    }
  }
}

/** False if it was stopped while it waited. */
function pause(signal: AbortSignal): Promise<boolean> {
  return sleep(1_000, true, { signal }).catch(() => false)
}
