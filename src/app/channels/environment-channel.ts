// The channel of WEBHOOK_URL. Only the environment changes it, but it can be paused and resumed like any other.
import { type ChannelLimits, defaultChannel, ENVIRONMENT_CHANNEL } from '../../domain/settings/channel.ts'
import type { Clock } from '../../ports/clock.ts'
import type { SettingsStore } from '../../ports/store.ts'

/** Brings the stored channel of WEBHOOK_URL in line with the environment; null if WEBHOOK_URL is not set. */
export async function keepEnvironmentChannel(
  deps: { store: SettingsStore; clock: Clock },
  settings: ({ url: string } & ChannelLimits) | null,
): Promise<void> {
  const { store, clock } = deps
  const channels = await store.listChannels()
  const known = channels.find(({ id }) => id === ENVIRONMENT_CHANNEL)
  const now = clock.now()
  if (settings === null) {
    if (known?.defaultSince != null)
      await store.saveChannel({
        ...known,
        defaultSince: null,
        version: known.version + 1,
        updatedAt: now,
      })
    return
  }
  const wanted = { kind: 'webhook' as const, ...settings }
  // The channel of WEBHOOK_URL is the default only while no other channel is.
  const hasDefault = defaultChannel(channels) !== null
  if (hasDefault && JSON.stringify(known?.settings) === JSON.stringify(wanted)) return
  const defaultSince = known?.defaultSince ?? (hasDefault ? null : now)
  await store.saveChannel({
    id: ENVIRONMENT_CHANNEL,
    name: 'environment',
    settings: wanted,
    secrets: [],
    defaultSince,
    status: 'ACTIVE',
    statusReason: null,
    version: (known?.version ?? 0) + 1,
    createdAt: known?.createdAt ?? now,
    updatedAt: now,
  })
}
