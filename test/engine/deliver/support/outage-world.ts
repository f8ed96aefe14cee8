// A world with channels whose receivers fail as a test wants.
import type { ChannelLimits } from '../../../../src/domain/settings/channel.ts'
import { BREAKER } from '../../../../src/engine/deliver/circuit-breaker.ts'
import { createDestinations, type Destinations } from '../../../../src/engine/deliver/destinations.ts'
import type { EngineSettings } from '../../../../src/engine/engine.ts'
import type { DeliveryResult } from '../../../../src/ports/channel.ts'
import type { Store } from '../../../../src/ports/store.ts'
import { makeChannel } from '../../../contracts/store/settings.ts'
import { createScriptedChannel, makePeople, newId, type ScriptedChannel } from '../../../support/fixtures.ts'
import { NINE, useWorld, world } from '../../support/use-world.ts'

export { NINE, useWorld, world }

/** The receiver of each channel, by the channel's id. */
const receivers = new Map<string, ScriptedChannel>()

/** Stores a channel, and creates its receiver. */
export async function setUp(name: string, limits: Partial<ChannelLimits> = {}) {
  const unlimited = { perSecond: null, concurrency: null }
  const record = makeChannel({
    id: newId(NINE),
    name,
    settings: { kind: 'webhook', url: `https://${name}.example`, ...unlimited, ...limits },
    secrets: [],
  })
  await world.store.saveChannel(record)
  const receiver = createScriptedChannel(world.clock)
  receivers.set(record.id, receiver)
  return { ...record, receiver }
}

export type SetUp = Awaited<ReturnType<typeof setUp>>

export function destinationsOf(store: Store = world.store): Destinations {
  return createDestinations({
    store,
    clock: world.clock,
    telemetry: (notice) => void world.notices.push(notice),
    open: ({ id }) => receivers.get(id)!,
    fallback: {
      id: 'inbox',
      name: 'inbox',
      kind: 'webhook',
      status: 'ACTIVE',
      limits: { perSecond: null, concurrency: null },
      channel: world.channel,
    },
  })
}

export function peopleOf(channel: SetUp, count: number) {
  const people = makePeople(count, () => ({ targetAt: NINE, dateOfBirth: '1990-06-15' }))
  for (const person of people) person.occasions[0]!.channelId = channel.id
  return people
}

/** Makes the receiver return `result` until the test changes it, and counts the sends in flight. */
export function respondWith(receiver: ScriptedChannel, result: DeliveryResult, takesMs = 5) {
  const state = { result, takesMs, inFlight: 0, most: 0 }
  const { deliver } = receiver
  receiver.deliver = async (delivery, signal) => {
    state.inFlight += 1
    state.most = Math.max(state.most, state.inFlight)
    await deliver(delivery, signal)
    await new Promise<void>((resolve) => world.clock.after(state.takesMs, resolve))
    state.inFlight -= 1
    return state.result
  }
  return state
}

export function start(settings: Partial<EngineSettings> = {}): void {
  world.start({ breaker: BREAKER, concurrency: 32, ...settings }, { destinations: destinationsOf() })
}
