// Mistakes with channels: the wrong one, limits, and channels that stop.
import { isPaused } from '../../../src/domain/settings/destination.ts'
import { NO_LEASES } from '../../../src/domain/settings/limit-leases.ts'
import type { Destination, Destinations } from '../../../src/engine/deliver/destinations.ts'
import type { Store } from '../../../src/ports/store.ts'
import { MINUTE } from '../../support/fixtures.ts'
import { GONE, UNAUTHORIZED } from '../record/channel-views.ts'
import { type Mistake, replaceIn } from './mistake.ts'
import { answering } from './sending.ts'

/** Wraps every destination so that some of its fields are false. */
function withFields(
  destinations: Destinations,
  falseFields: (destination: Destination) => Partial<Destination>,
): Destinations {
  const wrappers = new WeakMap<Destination, Destination>()
  const wrapped = new WeakMap<Destination, Destination>()
  return {
    ...destinations,
    of(channelId) {
      const destination = destinations.of(channelId)
      let wrapper = wrappers.get(destination)
      if (wrapper === undefined) {
        const fields = Object.getOwnPropertyDescriptors(falseFields(destination))
        wrapper = Object.create(destination, fields) as Destination
        wrappers.set(destination, wrapper)
        wrapped.set(wrapper, destination)
      }
      return wrapper
    },
    suspend: (wrapper, status, reason) => destinations.suspend(wrapped.get(wrapper)!, status, reason),
  }
}

const defaultForAll: Mistake = {
  name: 'default-for-all',
  description: 'Every message goes to the default channel.',
  breaks: ['right channel', 'right text and address'],
  engine: ({ destinations }) => ({ destinations: { ...destinations, of: () => destinations.of(null) } }),
}

const oneAtATime: Mistake = {
  name: 'one-at-a-time',
  description:
    'Messages to all channels are sent one after another: a channel that does not answer delays the others.',
  breaks: [
    'on time',
    'channel limits',
    'no send to a stopped channel',
    'nothing after the cut-off',
    'stopped message is not sent',
    'no send under an expired lease',
  ],
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
    return { destinations: withFields(destinations, inTurn) }
  },
}

const pausesAllChannels: Mistake = {
  name: 'pauses-all-channels',
  description: 'A worker that finds a channel down claims nothing for ten minutes.',
  breaks: ['on time'],
  engine: ({ store, clock, destinations }) => {
    let backAt = 0
    const { states } = destinations
    const markDown: typeof states.markDown = (failure) => {
      backAt = clock.now() + 10 * MINUTE
      states.markDown(failure)
    }
    return {
      destinations: { ...destinations, states: { ...states, markDown } },
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

const twiceTheLimits: Mistake = {
  name: 'twice-the-limits',
  description: 'A channel gets up to twice its limits.',
  breaks: ['channel limits'],
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

const turnSpentTwice: Mistake = {
  name: 'turn-spent-twice',
  description: 'A worker leases turns and slots as if no other worker had leased any.',
  breaks: ['channel limits'],
  store: (store) =>
    replaceIn(store, {
      readLeases: async (channelId) => ({ ...(await store.readLeases(channelId)), leases: NO_LEASES }),
    }),
}

const stopIgnored: Mistake = {
  name: 'stop-ignored',
  description: 'Messages are sent to a paused or disabled channel.',
  breaks: ['no send to a stopped channel', 'unauthorized uses no retry', 'stop reaches every worker'],
  engine: ({ destinations }) => ({ destinations: withFields(destinations, () => ({ status: 'ACTIVE' })) }),
}

const unauthorizedIsPermanent: Mistake = {
  name: 'unauthorized-is-permanent',
  description: 'A rejection of our credentials counts as a rejection of the message.',
  breaks: ['unauthorized uses no retry', 'no send to a stopped channel', 'failure reason is true'],
  channel: (channel) =>
    answering(channel, (result) =>
      UNAUTHORIZED.includes(result.statusCode)
        ? { kind: 'permanent', error: `HTTP ${result.statusCode}`, statusCode: 400 }
        : result,
    ),
}

const goneIgnored: Mistake = {
  name: 'gone-ignored',
  description: 'A receiver that answers 410 is sent to as before.',
  breaks: ['no send to a stopped channel'],
  channel: (channel) =>
    answering(channel, (result) => (result.statusCode === GONE ? { ...result, statusCode: 404 } : result)),
}

const parkedCounts: Mistake = {
  name: 'parked-counts',
  description: 'A parked attempt uses up a retry.',
  breaks: ['unauthorized uses no retry', 'attempts are limited'],
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

const pauseNotStored: Mistake = {
  name: 'pause-not-stored',
  description:
    'Only the worker whose credentials were rejected knows that the channel is paused: no operator can resume it.',
  breaks: ['on time', 'disabled channel is replayed'],
  store: (store) => replaceIn(store, { setChannelStatus: async () => true }),
}

const channelsReadOnce: Mistake = {
  name: 'channels-read-once',
  description: 'A worker reads the channels once, when it starts.',
  breaks: ['on time', 'disabled channel is replayed'],
  store: (store, { who }) => (who.startsWith('worker') ? readOnce(store, 'listChannels') : store),
}

const disabledIsPaused: Mistake = {
  name: 'disabled-is-paused',
  description: 'Events of a disabled channel wait as if it were paused.',
  breaks: ['disabled channel fails at once'],
  engine: ({ destinations }) => ({
    destinations: withFields(destinations, (destination) => ({
      get status() {
        return destination.status === 'DISABLED' ? 'PAUSED' : destination.status
      },
    })),
  }),
}

const disabledNotReplayed: Mistake = {
  name: 'disabled-not-replayed',
  description: 'An event that failed because its channel was disabled cannot be replayed.',
  breaks: ['disabled channel is replayed'],
  store: (store) =>
    replaceIn(store, {
      async listEvents(query) {
        const page = await store.listEvents(query)
        const items = page.items.filter((event) => event.failureCode !== 'CHANNEL_DISABLED')
        return { ...page, items }
      },
    }),
}

const downUsesARetry: Mistake = {
  name: 'down-uses-a-retry',
  description: 'An attempt without a response counts as a failure of the message.',
  breaks: ['down uses no retry'],
  channel: (channel) =>
    answering(channel, (result) => (result.kind === 'transient' ? { ...result, statusCode: 500 } : result)),
}

/** Reads once and returns that list for ever. */
export function readOnce(store: Store, op: 'listChannels' | 'listDestinations' | 'listTemplates'): Store {
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

const parkedNeverWoken: Mistake = {
  name: 'parked-never-woken',
  description: 'Parked events wait until their time is over, also when the receiver is up again.',
  breaks: ['backlog moves'],
  engine: ({ store }) => ({ store: replaceIn(store, { wakeParked: async () => 0 }) }),
}

const holdDrops: Mistake = {
  name: 'hold-drops',
  description: 'The events of a channel that an operator has paused fail instead of waiting.',
  breaks: ['failure reason is true'],
  engine: ({ clock, destinations }) => ({
    destinations: withFields(destinations, (destination) => ({
      get status() {
        const isHeld = isPaused(destinations.states.of(destination.id), clock.now())
        return isHeld ? 'DISABLED' : destination.status
      },
    })),
  }),
}

export const CHANNEL_MISTAKES: readonly Mistake[] = [
  defaultForAll,
  stopIgnored,
  oneAtATime,
  pausesAllChannels,
  twiceTheLimits,
  turnSpentTwice,
  unauthorizedIsPermanent,
  goneIgnored,
  parkedCounts,
  pauseNotStored,
  channelsReadOnce,
  disabledIsPaused,
  disabledNotReplayed,
  downUsesARetry,
  parkedNeverWoken,
  holdDrops,
]
