// Changes as server-sent events, for pages that stay open.
import type { OpenAPIHono } from '@hono/zod-openapi'
import { streamSSE } from 'hono/streaming'
import type { Live } from '../../app/dashboard/live.ts'
import { mount } from '../server/operation.ts'
import { LIVE } from './operations.ts'

/** Keeps proxies from closing an idle connection. */
const HEARTBEAT_MS = 15_000

export function mountLive(app: OpenAPIHono, live: Live): void {
  mount(app, LIVE, ({ c }) =>
    streamSSE(c, async (stream) => {
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
      await stream.writeSSE({ event: 'change', data: '{"kinds":[]}' })
      while (!stream.aborted) {
        for (const data of pending.splice(0)) await stream.writeSSE({ event: 'change', data })
        const woken = new Promise<void>((resolve) => {
          wake = resolve
        })
        if (pending.length > 0) continue
        await Promise.race([woken, stream.sleep(HEARTBEAT_MS)])
        if (pending.length === 0 && !stream.aborted) await stream.write(': still here\n\n')
      }
      stop()
    }),
  )
}
