// Listens for new events on a connection of its own, and reconnects when that breaks or falls silent.
import pg from 'pg'
import type { Clock } from '../../../ports/clock.ts'
import { channelsChannel, enqueuedChannel, wakeChannel } from '../store.ts'

type Listener = { close(): Promise<void> }

/** A server that vanished closes no connection, and the operating system would notice after two hours. */
const CHECK_EVERY_MS = 15_000
const CHECKED_WITHIN_MS = 5_000

export type Listeners = {
  /** Called with the instant announced; after a break with minus infinity, because an announcement may have been missed. */
  onWake: (at: number) => void
  /** Called for each transaction that enqueued a change, and after a break. */
  onEnqueued: () => void
  /** Called when a channel or the state of a destination has changed, and after a break. */
  onChannels?: () => void
  /** Called when it cannot listen, with the error, and when it listens again, with null. Once for all attempts between. */
  onState?: (error: unknown) => void
}

export function listen(
  { config, schema }: { config: pg.ClientConfig; schema: string },
  clock: Clock,
  { onWake, onEnqueued, onChannels = () => {}, onState = () => {} }: Listeners,
): Listener {
  let client: pg.Client | null = null
  let retry = { cancel() {} }
  let failures = 0
  let closed = false
  let isReported = false

  function report(error: unknown): void {
    const isFailed = error !== null
    if (isReported !== isFailed && !closed) onState(error)
    isReported = isFailed
  }

  async function open(): Promise<void> {
    const own = new pg.Client({ ...config, keepAlive: true, connectionTimeoutMillis: 5_000 })
    client = own
    let gone = false
    let timer = { cancel() {} }
    const onGone = () => {
      if (gone) return
      gone = true
      timer.cancel()
      // Not end(): a server that vanished confirms nothing.
      own.connection.stream.destroy()
      if (!closed) retry = clock.after(Math.min(30_000, 1_000 * 2 ** failures++), () => void open())
    }
    const check = async () => {
      timer = clock.after(CHECKED_WITHIN_MS, onGone)
      await own.query('SELECT 1')
      timer.cancel()
      if (!gone) timer = clock.after(CHECK_EVERY_MS, () => void check().catch(onGone))
    }
    own.on('error', onGone)
    own.on('end', onGone)
    own.on('notification', ({ channel, payload }) => {
      if (channel === enqueuedChannel(schema)) onEnqueued()
      else if (channel === channelsChannel(schema)) onChannels()
      else onWake(Number(payload))
    })
    try {
      await own.connect()
      for (const channel of [wakeChannel(schema), enqueuedChannel(schema), channelsChannel(schema)])
        await own.query(`LISTEN ${pg.escapeIdentifier(channel)}`)
      failures = 0
      report(null)
      onWake(Number.NEGATIVE_INFINITY)
      onEnqueued()
      onChannels()
      await check()
    } catch (error) {
      report(error)
      onGone()
    }
  }

  void open()
  return {
    close: async () => {
      closed = true
      retry.cancel()
      await client?.end().catch(() => {})
    },
  }
}
