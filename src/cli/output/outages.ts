// Describes destinations that are down or held, and finds what is new about them when they are polled.
import type { components } from '../../client/client.ts'
import type { Paint } from './colour.ts'
import { grouped, shortDuration } from './words.ts'

type Stopped = components['schemas']['Today']['stoppedChannels'][number]

export type OutageNews = { at: string; outcome: 'down' | 'held' | 'up'; channel: Stopped }

/** How often a destination that stays down or held is printed. */
const REPEAT_MS = 60_000

/** Returns a destination when it is down or held, once a minute while it is, and when it is up again. */
export function createOutageNews(): (stopped: readonly Stopped[], now: string) => OutageNews[] {
  const printed = new Map<string, { at: number; channel: Stopped }>()
  return (stopped, now) => {
    const at = Date.parse(now)
    const news: OutageNews[] = []
    for (const [id, { channel }] of printed) {
      const found = stopped.find((one) => one.id === id)
      if (found?.status === channel.status) continue
      printed.delete(id)
      // A channel that is stopped in another way is not up.
      if (found === undefined) news.push({ at: now, outcome: 'up', channel })
    }
    for (const channel of stopped.filter(({ status }) => status !== 'DISABLED')) {
      if (at - (printed.get(channel.id)?.at ?? Number.NEGATIVE_INFINITY) < REPEAT_MS) continue
      printed.set(channel.id, { at, channel })
      news.push({ at: now, outcome: channel.status === 'DOWN' ? 'down' : 'held', channel })
    }
    return news
  }
}

export function outageLine({ at, outcome, channel }: OutageNews, paint: Paint): string {
  if (outcome === 'down') return `${at}  ${paint('red', 'down     ')}  ${downText(channel, at)}`
  if (outcome === 'held') return `${at}  ${paint('yellow', 'held     ')}  ${heldText(channel)}`
  const lasted =
    channel.status === 'DOWN' ? `, after ${shortDuration(Date.parse(at) - Date.parse(channel.since!))}` : ''
  return `${at}  ${paint('green', 'up       ')}  "${channel.name}" is up again${lasted}`
}

function heldText({ name, statusReason, pausedUntil, waiting }: Stopped): string {
  const until = pausedUntil === null ? '' : ` until ${pausedUntil}`
  return `"${name}" is held${until}: ${statusReason}; ${waitText(waiting)}`
}

const waitText = (waiting: number) =>
  waiting === 1 ? '1 message waits' : `${grouped(waiting)} messages wait`

export function downText({ name, since, statusReason, waiting, nextProbeAt }: Stopped, now: string): string {
  const lasts = shortDuration(Math.max(0, Date.parse(now) - Date.parse(since!)))
  return `"${name}" is down since ${since} (${lasts}): ${statusReason}; ${waitText(waiting)}, next probe at ${nextProbeAt}`
}
