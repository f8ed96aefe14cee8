// Mistakes with channels: where messages go, what their far sides can bear, and what becomes of those that stop.
import type { Destination, Destinations } from '../../../src/engine/sending/destinations.ts'
import type { Store } from '../../../src/ports/store.ts'
import { MINUTE } from '../../support/fixtures.ts'
import { GONE, NOT_LET_IN } from '../record/channel-views.ts'
import { type Bug, replaceIn } from './mistake.ts'
import { answering } from './sending.ts'

/** Every destination seen through a glass: some of what it says is not true. */
function seenAs(
  destinations: Destinations,
  untrue: (destination: Destination) => Partial<Destination>,
): Destinations {
  const glasses = new WeakMap<Destination, Destination>()
  const behind = new WeakMap<Destination, Destination>()
  return {
    ...destinations,
    of(channelId) {
      const destination = destinations.of(channelId)
      let glass = glasses.get(destination)
      if (glass === undefined) {
        const tint = Object.getOwnPropertyDescriptors(untrue(destination))
        glass = Object.create(destination, tint) as Destination
        glasses.set(destination, glass)
        behind.set(glass, destination)
      }
      return glass
    },
    suspend: (glass, status, reason) => destinations.suspend(behind.get(glass)!, status, reason),
  }
}

const defaultForAll: Bug = {
  name: 'default-for-all',
  words: 'Everything goes to the default channel.',
  breaks: ['where it belongs', 'said as asked'],
  engine: ({ destinations }) => ({ destinations: { ...destinations, of: () => destinations.of(null) } }),
}

const oneAtATime: Bug = {
  name: 'one-at-a-time',
  words:
    'Messages go one after another, whatever their channel: one that does not answer holds up the others.',
  breaks: ['each on time', 'within its limits', 'stopped is stopped', 'not after'],
  engine({ destinations }) {
    let last: Promise<unknown> = Promise.resolve()
    const inTurn = ({ channel }: Destination): Partial<Destination> => ({
      channel: {
        ...channel,
        deliver(delivery, signal) {
          const sent = last.then(() => channel.deliver(delivery, signal))
          last = sent
          return sent
        },
      },
    })
    return { destinations: seenAs(destinations, inTurn) }
  },
}

const takesABreak: Bug = {
  name: 'takes-a-break',
  words: 'A worker that finds a channel down does nothing for ten minutes.',
  breaks: ['each on time'],
  engine: ({ store, clock, telemetry }) => {
    let backAt = 0
    return {
      telemetry(notice) {
        if (notice.kind === 'breaker' && notice.state === 'open') backAt = clock.now() + 10 * MINUTE
        telemetry(notice)
      },
      store: replaceIn(store, {
        claimDue: async (claim) => (clock.now() < backAt ? [] : store.claimDue(claim)),
        async nextWakeAt() {
          const at = await store.nextWakeAt()
          return at && Math.max(at, backAt)
        },
      }),
    }
  },
}

const limitsIgnored: Bug = {
  name: 'limits-ignored',
  words: 'A channel gets as much as there is, whatever it can bear.',
  breaks: ['within its limits'],
  engine: ({ destinations }) => ({
    destinations: seenAs(destinations, () => ({ limits: { perSecond: null, concurrency: null } })),
  }),
}

const twiceTheLimits: Bug = {
  name: 'twice-the-limits',
  words: 'A channel gets up to twice of what it can bear.',
  breaks: ['within its limits'],
  store: (store) =>
    replaceIn(store, {
      async listChannels() {
        const twice = (limit: number | null) => limit && 2 * limit
        return (await store.listChannels()).map((channel) => {
          const { perSecond, concurrency } = channel.settings
          const limits = { perSecond: twice(perSecond), concurrency: twice(concurrency) }
          return { ...channel, settings: { ...channel.settings, ...limits } }
        })
      },
    }),
}

const stopNotHeeded: Bug = {
  name: 'stop-not-heeded',
  words: 'A channel that is paused or switched off is sent to as before.',
  breaks: ['stopped is stopped', 'not their fault'],
  engine: ({ destinations }) => ({ destinations: seenAs(destinations, () => ({ status: 'ACTIVE' })) }),
}

const notLetInFails: Bug = {
  name: 'not-let-in-fails',
  words: 'A receiver that does not let us in counts as one that refuses the message.',
  breaks: ['not their fault', 'stopped is stopped', 'failed for cause'],
  channel: (channel) =>
    answering(channel, (result) =>
      NOT_LET_IN.includes(result.statusCode)
        ? { kind: 'permanent', error: `HTTP ${result.statusCode}`, statusCode: 400 }
        : result,
    ),
}

const goneNotHeeded: Bug = {
  name: 'gone-not-heeded',
  words: 'A receiver that is gone is sent to as before.',
  breaks: ['stopped is stopped'],
  channel: (channel) =>
    answering(channel, (result) => (result.statusCode === GONE ? { ...result, statusCode: 404 } : result)),
}

const parkedCounts: Bug = {
  name: 'parked-counts',
  words: 'What waits for its channel uses up its tries.',
  breaks: ['not their fault', 'tries are limited'],
  store: (store) =>
    replaceIn(store, {
      settle: (settlements) =>
        store.settle(
          settlements.map((one) =>
            one.kind === 'parked' && one.attempt ? { ...one, ...one.attempt, kind: 'retry' as const } : one,
          ),
        ),
    }),
}

const pauseKeptSecret: Bug = {
  name: 'pause-kept-secret',
  words: 'Only the worker that was not let in knows that the channel is paused: nobody can resume it.',
  breaks: ['each on time', 'comes back'],
  store: (store) => replaceIn(store, { setChannelStatus: async () => true }),
}

const resumeUnheard: Bug = {
  name: 'resume-unheard',
  words: 'A worker reads what channels there are once, when it starts.',
  breaks: ['each on time', 'comes back'],
  store: (store, { who }) => (who.startsWith('worker') ? readOnce(store, 'listChannels') : store),
}

const offWaits: Bug = {
  name: 'off-waits',
  words: 'What is due for a channel that is off waits as if it were paused.',
  breaks: ['off is the end'],
  engine: ({ destinations }) => ({
    destinations: seenAs(destinations, (destination) => ({
      get status() {
        return destination.status === 'DISABLED' ? 'PAUSED' : destination.status
      },
    })),
  }),
}

const offForGood: Bug = {
  name: 'off-for-good',
  words: 'What failed because its channel was off cannot be sent again.',
  breaks: ['comes back'],
  store: (store) =>
    replaceIn(store, {
      async listEvents(query) {
        const page = await store.listEvents(query)
        const items = page.items.filter((event) => event.failureCode !== 'CHANNEL_DISABLED')
        return { ...page, items }
      },
    }),
}

/** The first answer, for ever. */
export function readOnce(store: Store, op: 'listChannels' | 'listTemplates'): Store {
  let read: Promise<unknown> | null = null
  const readNow = () => {
    read ??= store[op]().catch((error) => {
      read = null
      throw error
    })
    return read as never
  }
  return replaceIn(store, { [op]: readNow })
}

export const CHANNEL_BUGS: readonly Bug[] = [
  defaultForAll,
  stopNotHeeded,
  oneAtATime,
  takesABreak,
  limitsIgnored,
  twiceTheLimits,
  notLetInFails,
  goneNotHeeded,
  parkedCounts,
  pauseKeptSecret,
  resumeUnheard,
  offWaits,
  offForGood,
]
