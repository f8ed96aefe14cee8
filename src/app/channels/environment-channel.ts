// The channel of WEBHOOK_URL. The environment sets its URL and secret; its limits and holds are set like those of any other.
import {
  type ChannelRecord,
  defaultChannel,
  ENVIRONMENT_CHANNEL,
  type Environment,
  environmentDifference,
  environmentSecrets,
  NO_LIMITS,
  withoutQuery,
} from '../../domain/settings/channel.ts'
import type { Clock } from '../../ports/clock.ts'
import type { DestinationStore, SettingsStore } from '../../ports/store.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'
import { holdLikeOthers } from './hold-new.ts'

type Deps = { store: SettingsStore & DestinationStore; clock: Clock; telemetry: Telemetry }

/**
 * Brings the stored channel of WEBHOOK_URL in line with the environment, which is null if WEBHOOK_URL is not set. Another URL
 * or secret releases the channel: it is the usual remedy for the mistake that the receiver rejected.
 */
export async function keepEnvironmentChannel(deps: Deps, environment: Environment | null): Promise<void> {
  await retryOnConflict('The channel of WEBHOOK_URL', async () => {
    const channels = await deps.store.listChannels()
    const known = channels.find(({ id }) => id === ENVIRONMENT_CHANNEL) ?? null
    const wanted = wantedChannel(channels, known, environment, deps.clock.now())
    if (wanted === null) return 'unchanged'
    if (known === null) await holdLikeOthers(deps.store, wanted.id, wanted.updatedAt)
    if ((await deps.store.saveChannel(wanted)) === 'conflict') return null
    if (known !== null) report(deps, known, environment)
    if (wanted.status === 'ACTIVE') await deps.store.markUp(wanted.id, wanted.updatedAt)
    return 'saved'
  })
}

/** Null if the stored channel is as it should be. */
function wantedChannel(
  channels: readonly ChannelRecord[],
  known: ChannelRecord | null,
  environment: Environment | null,
  now: number,
): ChannelRecord | null {
  const version = (known?.version ?? 0) + 1
  if (environment === null) {
    const isDefault = known !== null && known.defaultSince !== null
    return isDefault ? { ...known, defaultSince: null, version, updatedAt: now } : null
  }
  // The channel of WEBHOOK_URL is the default only while no other channel is.
  const hasDefault = defaultChannel(channels) !== null
  const isAsWanted = known !== null && environmentDifference(known, environment) === null
  if (hasDefault && isAsWanted) return null
  const keepsStatus = known !== null && (isAsWanted || known.statusReason === null)
  const { perSecond, concurrency } = known?.settings ?? NO_LIMITS
  return {
    id: ENVIRONMENT_CHANNEL,
    name: 'environment',
    settings: { kind: 'webhook', url: environment.url, perSecond, concurrency },
    secrets: environmentSecrets(environment, now),
    defaultSince: known?.defaultSince ?? (hasDefault ? null : now),
    status: keepsStatus ? known.status : 'ACTIVE',
    statusReason: keepsStatus ? known.statusReason : null,
    version,
    createdAt: known?.createdAt ?? now,
    updatedAt: now,
  }
}

function report({ telemetry }: Deps, known: ChannelRecord, environment: Environment | null): void {
  const what = environment === null ? 'url' : environmentDifference(known, environment)
  if (what === null || known.settings.kind !== 'webhook') return
  // Signing was turned on.
  if (what === 'secret' && known.secrets.length === 0) return
  const from = withoutQuery(known.settings.url)
  const to = environment === null ? null : withoutQuery(environment.url)
  telemetry({ kind: 'environment', state: 'replaced', what, from, to })
}
