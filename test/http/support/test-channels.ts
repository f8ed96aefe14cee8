// What setting up channels takes, with a far side that a test scripts.

import type { AppDeps } from '../../../src/app/app-deps.ts'
import type { ChannelsDeps } from '../../../src/app/channels/channels.ts'
import type { Delivery, DeliveryResult } from '../../../src/ports/channel.ts'
import { createChannelKit } from '../../../src/runtimes/channels.ts'
import { createVault } from '../../../src/runtimes/config/vault.ts'

export type TestFarSide = { sent: Delivery[]; answer: DeliveryResult }

export function createTestChannels(
  { store, clock, planner }: AppDeps,
  far: TestFarSide,
  how: { sealed: boolean },
): ChannelsDeps {
  const vault = how.sealed ? createVault(Buffer.alloc(32, 7)) : null
  const { check } = createChannelKit(clock, vault, {
    timeoutMs: 1_000,
    mailTimeoutMs: 1_000,
    connections: 1,
    allowPrivateTargets: false,
    webhookSecrets: [],
  })
  let secrets = 0
  return {
    store,
    clock,
    ids: planner.ids,
    vault,
    newSecret: () => `whsec_${Buffer.alloc(32, ++secrets).toString('base64')}`,
    check,
    open: () => ({
      deliver: async (delivery) => {
        far.sent.push(delivery)
        return far.answer
      },
      close: async () => {},
    }),
  }
}
