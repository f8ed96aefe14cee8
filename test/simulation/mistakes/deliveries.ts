// Mistakes between the claim and the receiver: keys, retries, results, channels and handlers.
import { NO_LEASES } from '../../../src/domain/settings/limit-leases.ts'
import { SECOND } from '../../support/fixtures.ts'
import { GONE } from '../record/channel-views.ts'
import { answering, type Mistake, replaceIn } from './mistake.ts'

export const DELIVERY_MISTAKES: readonly Mistake[] = [
  {
    name: 'sent-under-two-keys',
    description: 'Every message is sent twice, each time under a key of its own.',
    breaks: ['one key', 'one message for a one-time occasion'],
    channel: (channel) => ({
      ...channel,
      async deliver(delivery, signal) {
        await channel.deliver({ ...delivery, idempotencyKey: `${delivery.idempotencyKey}-first` }, signal)
        return channel.deliver(delivery, signal)
      },
    }),
  },
  {
    name: 'completed-before-sent',
    description: 'An event counts as delivered as soon as its message is in flight.',
    breaks: ['completed was accepted'],
    channel: (channel) => ({
      ...channel,
      deliver: async (delivery, signal) => {
        void channel.deliver(delivery, signal)
        return { kind: 'delivered', statusCode: 200 }
      },
    }),
  },
  {
    name: 'retry-without-limit',
    description: 'A message is retried for as long as it fails.',
    breaks: ['attempts are limited'],
    engine: () => ({ retryPolicy: { delaysMs: Array.from({ length: 1_000 }, () => SECOND) } }),
  },
  {
    name: 'no-retry',
    description: 'A message is never retried.',
    breaks: ['failure reason is true'],
    engine: () => ({ retryPolicy: { delaysMs: [] } }),
  },
  {
    name: 'never-too-late',
    description: 'Every message is sent, however late.',
    breaks: ['nothing after the lateness limit'],
    engine: () => ({ lateness: new Map() }),
  },
  {
    name: 'permanent-rejection-retried',
    description: 'A permanent rejection is retried.',
    breaks: ['permanent rejection is final'],
    channel: (channel) =>
      answering(channel, (result) =>
        result.kind === 'permanent' ? { ...result, kind: 'transient' } : result,
      ),
  },
  {
    name: 'retry-after-ignored',
    description: 'A receiver that asks for time gets none.',
    breaks: ['Retry-After is honoured'],
    channel: (channel) =>
      answering(channel, (result) => (result.kind === 'transient' ? { ...result, retryAfterMs: 0 } : result)),
  },
  {
    name: 'released-counts',
    description: 'An attempt at a destination that is down uses up a retry.',
    breaks: ['unauthorized uses no retry', 'down uses no retry'],
    store: (store) =>
      replaceIn(store, {
        settle: (settlements) =>
          store.settle(
            settlements.map((one) =>
              one.kind === 'release' && one.attempt
                ? { ...one, ...one.attempt, wakeAt: one.wakeAt ?? one.at, kind: 'retry' as const }
                : one,
            ),
          ),
      }),
  },
  {
    name: 'gone-ignored',
    description: 'A receiver that answers 410 is sent to as before.',
    breaks: ['no send to a stopped channel'],
    channel: (channel) =>
      answering(channel, (result) => (result.statusCode === GONE ? { ...result, statusCode: 404 } : result)),
  },
  {
    name: 'default-for-all',
    description: 'Every message goes to the default channel.',
    breaks: ['right channel', 'right text and address'],
    engine: ({ destinations }) => ({ destinations: { ...destinations, of: () => destinations.of(null) } }),
  },
  {
    name: 'turn-spent-twice',
    description: 'A worker leases turns and slots as if no other worker had leased any.',
    breaks: ['channel limits'],
    store: (store) =>
      replaceIn(store, {
        readLeases: async (channelId) => ({ ...(await store.readLeases(channelId)), leases: NO_LEASES }),
      }),
  },
  {
    name: 'never-probed',
    description: 'No worker gets the probe of a destination that is down.',
    breaks: ['backlog moves'],
    store: (store) => replaceIn(store, { claimProbe: async () => false }),
  },
  {
    name: 'lanes-ignored',
    description: 'A claim takes events of every lane.',
    breaks: ['stopped channel is not claimed'],
    store: (store) => replaceIn(store, { claimDue: ({ lanes: _, ...claim }) => store.claimDue(claim) }),
  },
  {
    name: 'hold-ignored',
    description: 'No worker learns that an operator holds a channel.',
    breaks: ['stop reaches every worker'],
    store: (store) =>
      replaceIn(store, {
        listDestinations: async () =>
          (await store.listDestinations()).map((state) => ({ ...state, heldAt: null })),
      }),
  },
  {
    name: 'two-probers',
    description: 'A worker claims a probe also if another has claimed it first.',
    breaks: ['one probe at a time'],
    store: (store) =>
      replaceIn(store, {
        async claimProbe(claim) {
          if (await store.claimProbe(claim)) return true
          const states = await store.listDestinations()
          const seen = states.find(({ channelId }) => channelId === claim.channelId)?.nextProbeAt
          return seen != null && store.claimProbe({ ...claim, seen })
        },
      }),
  },
  {
    name: 'settled-apart',
    description:
      'The event of a handler is settled by itself, also if the transaction of the handler rolls back.',
    breaks: ['one effect'],
    settlesApart: true,
  },
]
