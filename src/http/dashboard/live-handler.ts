// Changes as server-sent events, for pages that stay open. A stream ends with the key or session that opened it.
import type { OpenAPIHono } from '@hono/zod-openapi'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import type { Live } from '../../app/dashboard/live.ts'
import { isStillAllowed } from '../server/auth.ts'
import { mount } from '../server/operation.ts'
import { Problem } from '../server/problem.ts'
import { LIVE } from './operations.ts'

/** Keeps proxies from closing an idle connection, and is how often an idle stream checks its key. */
const HEARTBEAT_MS = 15_000
/** Streams of one key in this process: 2,000 of them took 79 MB. */
const MOST_FOR_KEY = 50

export function mountLive(api: OpenAPIHono, live: Live): void {
  const open = new Map<string, number>()
  const count = (caller: string, change: 1 | -1) => {
    const left = (open.get(caller) ?? 0) + change
    if (left === 0) open.delete(caller)
    else open.set(caller, left)
  }

  mount(api, LIVE, ({ c }) => {
    const caller = c.get('keyId') ?? 'open'
    if ((open.get(caller) ?? 0) >= MOST_FOR_KEY) {
      const headers = { 'Retry-After': '30' }
      throw new Problem('RATE_LIMITED', `A key may have ${MOST_FOR_KEY} live streams. Close one.`, {
        headers,
      })
    }
    count(caller, 1)
    return streamSSE(c, async (stream) => {
      try {
        await sendChanges(stream, live, () => isStillAllowed(c, LIVE.scope))
      } finally {
        count(caller, -1)
      }
    })
  })
}

async function sendChanges(
  stream: SSEStreamingApi,
  live: Live,
  isAllowed: () => Promise<boolean>,
): Promise<void> {
  let wake = () => {}
  const pending: string[] = []
  const stop = live.listen((change) => {
    pending.push(JSON.stringify(change))
    wake()
  })
  stream.onAbort(() => {
    stop()
    wake()
  })
  try {
    await stream.writeSSE({ event: 'change', data: '{"kinds":[]}' })
    while (!stream.aborted && (await isAllowed())) {
      for (const data of pending.splice(0)) await stream.writeSSE({ event: 'change', data })
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      if (pending.length > 0) continue
      await Promise.race([woken, stream.sleep(HEARTBEAT_MS)])
      if (pending.length === 0 && !stream.aborted) await stream.write(': still here\n\n')
    }
  } finally {
    stop()
  }
}
