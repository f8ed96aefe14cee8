// A Worker that makes the requested delivery through the fetch webhook channel, and responds with the result.
import type { Guard } from '../../../src/channels/dial/dial.ts'
import { createFetchDial } from '../../../src/channels/dial/fetch-dial.ts'
import { createFetchWebhook, type FetchWebhookSettings } from '../../../src/channels/webhook/fetch-webhook.ts'
import type { Delivery } from '../../../src/ports/channel.ts'

export default {
  async fetch(request: Request): Promise<Response> {
    const { settings, guard, delivery, shiftMs } = (await request.json()) as {
      settings: FetchWebhookSettings
      guard: Guard
      delivery: Delivery
      shiftMs: number
    }
    const clock = {
      now: () => Date.now() + shiftMs,
      elapsedMs: () => performance.now(),
      after: (ms: number, callback: () => void) => {
        const timer = setTimeout(callback, ms)
        return { cancel: () => clearTimeout(timer) }
      },
    }
    const channel = createFetchWebhook({ clock, dial: createFetchDial(fetch, guard) }, settings)
    return Response.json(await channel.deliver(delivery, new AbortController().signal))
  },
}
