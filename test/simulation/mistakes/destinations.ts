// Mistakes with the state of destinations that all workers share: outages and holds that do not reach them.
import type { DestinationState } from '../../../src/domain/settings/destination.ts'
import type { Store } from '../../../src/ports/store.ts'
import { readOnce } from './channels.ts'
import { type Mistake, replaceIn } from './mistake.ts'

/** Every process reads false states of destinations. */
function withStates(store: Store, falseFields: Partial<DestinationState>): Store {
  const listDestinations = async () =>
    (await store.listDestinations()).map((state) => ({ ...state, ...falseFields }))
  return replaceIn(store, { listDestinations })
}

const holdIgnored: Mistake = {
  name: 'hold-ignored',
  description: 'No worker learns that an operator has paused a channel.',
  breaks: ['stop reaches every worker'],
  store: (store) => withStates(store, { pausedAt: null }),
}

const holdNeverEnds: Mistake = {
  name: 'hold-never-ends',
  description: 'A pause with an end lasts until the channel is resumed.',
  breaks: ['on time', 'backlog moves'],
  store: (store) => withStates(store, { pausedUntil: null }),
}

const outageUnheard: Mistake = {
  name: 'outage-unheard',
  description: 'A worker reads the states of destinations once, when it starts.',
  breaks: ['stop reaches every worker'],
  store: (store, { who }) => (who.startsWith('worker') ? readOnce(store, 'listDestinations') : store),
}

const twoProbers: Mistake = {
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
}

export const DESTINATION_MISTAKES: readonly Mistake[] = [
  holdIgnored,
  holdNeverEnds,
  outageUnheard,
  twoProbers,
]
