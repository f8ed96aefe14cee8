// Channel dependencies with a destination that the test scripts.

import { createHash } from 'node:crypto'
import type { AppDeps } from '../../../src/app/app-deps.ts'
import type { ChannelsDeps } from '../../../src/app/channels/channels.ts'
import { createChannelFactory } from '../../../src/channels/factory.ts'
import type { AllowedTargets } from '../../../src/domain/settings/channel.ts'
import type { Delivery, DeliveryResult } from '../../../src/ports/channel.ts'
import type { Store } from '../../../src/ports/store.ts'
import { createVault } from '../../../src/runtimes/config/vault.ts'
import { nodeAdapters } from '../../../src/runtimes/shared/channels.ts'

export type TestFarSide = { sent: Delivery[]; answer: DeliveryResult }

export function createTestChannels(
  { store, clock, planner }: AppDeps<Store>,
  far: TestFarSide,
  how: { sealed: boolean; targets?: AllowedTargets },
): ChannelsDeps {
  const vault = how.sealed ? createVault([Buffer.alloc(32, 7)]) : null
  const adapters = nodeAdapters(clock, { connections: 1 })
  const { allowedTargets, parse, open } = createChannelFactory(
    { clock, vault, adapters },
    { webhookTimeoutMs: 1_000, emailTimeoutMs: 1_000, targets: how.targets ?? 'public', webhookSecrets: [] },
  )
  let secrets = 0
  return {
    store,
    clock,
    ids: planner.ids,
    vault,
    newSecret: () => `whsec_${createHash('sha256').update(String(++secrets)).digest('base64')}`,
    allowedTargets,
    parse,
    open(record, given) {
      // Throws if the settings or the secrets cannot be used.
      void open(record, given).close()
      return {
        deliver: async (delivery) => {
          far.sent.push(delivery)
          return far.answer
        },
        close: async () => {},
      }
    },
  }
}
