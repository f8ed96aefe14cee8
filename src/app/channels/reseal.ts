// Encrypts the stored secrets of channels again, under the current key and for their own channel. Shows none of them.
import {
  activeSecrets,
  type ChannelRecord,
  ENVIRONMENT_CHANNEL,
  placeOfSecrets,
  type SealedSecret,
} from '../../domain/settings/channel.ts'
import type { Clock } from '../../ports/clock.ts'
import type { SettingsStore } from '../../ports/store.ts'
import type { Vault } from '../../ports/vault.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'

type Deps = { store: SettingsStore; clock: Clock; vault: Vault }

type Resealed = {
  resealed: number
  /** Needed nothing. */
  current: number
  /** The channels with a secret that no key opens, and why. */
  unreadable: { channel: string; reason: string }[]
}

/** Idempotent. With `dryRun`, only counts. */
export async function resealSecrets(deps: Deps, { dryRun }: { dryRun: boolean }): Promise<Resealed> {
  const total: Resealed = { resealed: 0, current: 0, unreadable: [] }
  for (const { id, name } of await deps.store.listChannels()) {
    // The secrets of the environment are stored as hashes.
    if (id === ENVIRONMENT_CHANNEL) continue
    try {
      const { resealed, current } = await resealChannel(deps, id, dryRun)
      total.resealed += resealed
      total.current += current
    } catch (error) {
      if (!(error instanceof UnreadableSecret)) throw error
      total.unreadable.push({ channel: name, reason: error.message })
    }
  }
  return total
}

class UnreadableSecret extends Error {}

function resealChannel(deps: Deps, id: string, dryRun: boolean) {
  const { store, clock, vault } = deps
  return retryOnConflict(`Channel ${id}`, async () => {
    const channel = (await store.listChannels()).find((one) => one.id === id)
    if (channel === undefined) return { resealed: 0, current: 0 }
    const now = clock.now()
    const secrets = activeSecrets(channel, now)
    const old = secrets.filter(({ sealed }) => !vault.isCurrent(sealed))
    const counts = { resealed: old.length, current: secrets.length - old.length }
    const resealed = secrets.map((secret) => (old.includes(secret) ? reseal(vault, channel, secret) : secret))
    if (dryRun || old.length === 0) return counts
    // Expired secrets are dropped: they would keep the previous key in use.
    const changed = { ...channel, secrets: resealed, version: channel.version + 1, updatedAt: now }
    return (await store.saveChannel(changed)) === 'saved' ? counts : null
  })
}

function reseal(vault: Vault, channel: ChannelRecord, secret: SealedSecret): SealedSecret {
  const place = placeOfSecrets(channel)
  try {
    return { ...secret, sealed: vault.seal(vault.open(secret.sealed, place), place) }
  } catch (error) {
    throw new UnreadableSecret((error as Error).message)
  }
}
