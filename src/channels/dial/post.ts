// One POST through a dial: within its time, until it is stopped, and what its failure means.
import type { DeliveryResult } from '../../ports/channel.ts'
import type { Clock } from '../../ports/clock.ts'
import { type Dial, forbiddenResult } from './dial.ts'

type Post = {
  url: string
  headers: Record<string, string>
  body: string
  /** From the first byte sent to the last byte read. */
  timeoutMs: number
  signal: AbortSignal
}

export async function post(
  { clock, dial }: { clock: Clock; dial: Dial },
  { url, headers, body, timeoutMs, signal }: Post,
  read: (response: Response) => Promise<DeliveryResult>,
): Promise<DeliveryResult> {
  const cut = new AbortController()
  const onStop = () => cut.abort('CONNECTION: given up')
  const onDeadline = () => cut.abort(`TIMEOUT: no response within ${timeoutMs} ms`)
  const deadline = clock.after(timeoutMs, onDeadline)
  signal.addEventListener('abort', onStop, { once: true })
  if (signal.aborted) onStop()
  try {
    // Redirects are not followed: the body and the headers are meant for this URL only.
    const request = { method: 'POST', headers, body, redirect: 'manual', signal: cut.signal } as const
    return await read(await dial.fetch(url, request))
  } catch (error) {
    const forbidden = forbiddenResult(error)
    if (forbidden !== null) return forbidden
    const reason = cut.signal.aborted ? String(cut.signal.reason) : `CONNECTION: ${codeOf(error)}`
    return { kind: 'transient', error: reason, statusCode: null }
  } finally {
    deadline.cancel()
    signal.removeEventListener('abort', onStop)
  }
}

/** The code of an error, never its message, which can quote the request. Node's fetch keeps the code in the cause. */
function codeOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown } }
  return typeof cause?.code === 'string' ? cause.code : 'failed'
}
