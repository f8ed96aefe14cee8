// Creates and changes channels, with their settings and encrypted secrets. A secret is returned once, when it is created.

import type { FieldProblem, Parsed } from '../../domain/errors.ts'
import type { Ids } from '../../domain/events/uuid.ts'
import {
  type AllowedTargets,
  activeSecrets,
  type ChannelRecord,
  type ChannelSettings,
  defaultChannel,
  ENVIRONMENT_CHANNEL,
  NO_LIMITS,
  placeOfSecrets,
  type SealedSecret,
} from '../../domain/settings/channel.ts'
import { DAY_MS } from '../../domain/time/calendar.ts'
import type { Channel } from '../../ports/channel.ts'
import type { Clock } from '../../ports/clock.ts'
import type { DestinationStore, SettingsStore } from '../../ports/store.ts'
import type { Vault } from '../../ports/vault.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'
import { holdLikeOthers } from './hold-new.ts'

export type ChannelsDeps = {
  store: SettingsStore & DestinationStore
  clock: Clock
  ids: Ids
  /** Null without a key for secrets. */
  vault: Vault | null
  allowedTargets: AllowedTargets
  /** A new secret for signing. */
  newSecret: () => string
  /** The settings in canonical form, or the problems of the settings or of a new secret. */
  parse(settings: ChannelSettings, secret: string | null, allowed?: AllowedTargets): Parsed<ChannelSettings>
  /**
   * Opens a connection. `secrets` replaces the stored secrets, for a channel that is not stored. Throws a
   * ChannelUnusableError.
   */
  open: (record: ChannelRecord, secrets?: readonly string[]) => Channel
  /** Called before a change is acknowledged, where the workers are in this process. */
  onSaved?: () => void
}

export type ChannelInput = {
  name: string
  settings: ChannelSettings
  /** Null to generate a secret (webhooks only). */
  secret: string | null
  isDefault: boolean
}

export type Rejected =
  | { kind: 'invalid'; problems: FieldProblem[] }
  | { kind: 'taken' }
  | { kind: 'missing' }
  | { kind: 'outdated' }
  /** There is no key for secrets. */
  | { kind: 'no-vault' }
  | { kind: 'managed' }
  | { kind: 'disabled' }
  /** It is the default channel. */
  | { kind: 'default' }
  /** An occasion or an open event names it. */
  | { kind: 'in-use' }
  /** Its settings or secrets do not allow it to be opened. The reason has the remedy. */
  | { kind: 'unusable'; reason: string }

export type Saved = { kind: 'saved'; channel: ChannelRecord }

/** How long the old secret still signs after a rotation, so that the receiver can switch to the new one. */
const ROTATION_MS = DAY_MS

export async function createChannel(
  deps: ChannelsDeps,
  input: ChannelInput,
): Promise<(Saved & { secret: string | null }) | Rejected> {
  const { vault } = deps
  if (vault === null) return { kind: 'no-vault' }
  const isGenerated = input.settings.kind === 'webhook' && input.secret === null
  const secret = isGenerated ? deps.newSecret() : input.secret
  const settings = deps.parse(input.settings, secret, deps.allowedTargets)
  if (!settings.ok) return { kind: 'invalid', problems: settings.problems }
  const now = deps.clock.now()
  const identity = { id: deps.ids(now), settings: settings.value }
  const channel: ChannelRecord = {
    ...identity,
    name: input.name,
    secrets: secret === null ? [] : [sealed(vault, secret, identity, now)],
    defaultSince: input.isDefault ? now : null,
    status: 'ACTIVE',
    statusReason: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  await holdLikeOthers(deps.store, identity.id, now)
  const saved = await save(deps, channel)
  return saved.kind === 'saved' ? { ...saved, secret: isGenerated ? secret : null } : saved
}

export type ChannelChange = {
  name?: string
  /** Replaces only the given settings. The kind cannot change. */
  settings?: Partial<ChannelSettings>
  /** Replaces the secret at once. */
  secret?: string
  /** False: the channel that was the default before it is the default again. */
  isDefault?: boolean
  ifVersion: readonly number[] | null
}

export async function changeChannel(
  deps: ChannelsDeps,
  id: string,
  change: ChannelChange,
): Promise<Saved | Rejected> {
  const { vault } = deps
  const { secret = null } = change
  if (vault === null && secret !== null) return { kind: 'no-vault' }
  const { isDefault } = change
  // Limits need no parsing: the URL of the environment may be one that the API would reject.
  const changesOnlyLimits = Object.keys(change.settings ?? {}).every((name) => name in NO_LIMITS)
  // The environment has no variable for the default and the limits.
  const evenIfManaged = changesOnlyLimits && change.name === undefined && secret === null
  const toChanged = (channel: ChannelRecord, now: number): ChannelRecord | Rejected => {
    if (change.ifVersion !== null && !change.ifVersion.includes(channel.version)) return { kind: 'outdated' }
    const changed = { ...channel.settings, ...change.settings } as ChannelSettings
    const parsed = changesOnlyLimits ? null : deps.parse(changed, secret, deps.allowedTargets)
    if (parsed?.ok === false) return { kind: 'invalid', problems: parsed.problems }
    const settings = parsed?.value ?? changed
    const moved = placeOfSecrets({ id, settings }) !== placeOfSecrets(channel)
    if (moved && secret === null) return { kind: 'invalid', problems: [SECRET_REQUIRED] }
    return {
      ...channel,
      name: change.name ?? channel.name,
      settings,
      secrets: secret === null ? channel.secrets : [sealed(vault!, secret, { id, settings }, now)],
      defaultSince: isDefault === undefined ? channel.defaultSince : isDefault ? now : null,
    }
  }
  return revise(deps, id, toChanged, evenIfManaged)
}

/** Otherwise a caller could have the key of a provider sent to a host of their own. */
const SECRET_REQUIRED = {
  field: 'apiKey',
  code: 'SECRET_REQUIRED',
  message: 'The API key belongs to the host of the current baseUrl. Give apiKey again to use another host.',
} as const

/** Enables or disables a channel. */
export async function setChannelStatus(
  deps: ChannelsDeps,
  id: string,
  status: 'ACTIVE' | 'DISABLED',
): Promise<Saved | Rejected> {
  const toStatus = (channel: ChannelRecord) => ({ ...channel, status, statusReason: null })
  return revise(deps, id, toStatus, true)
}

/** Deletes a channel that nothing names any more. Its deliveries stay in the history. */
export function deleteChannel(deps: ChannelsDeps, id: string): Promise<{ kind: 'deleted' } | Rejected> {
  return retryOnConflict(`Channel ${id}`, async () => {
    const channels = await deps.store.listChannels()
    const channel = channels.find((one) => one.id === id)
    if (channel === undefined) return { kind: 'missing' }
    if (id === ENVIRONMENT_CHANNEL) return { kind: 'managed' }
    if (defaultChannel(channels)?.id === id) return { kind: 'default' }
    const result = await deps.store.removeChannel(channel)
    if (result === 'conflict') return null
    return { kind: result === 'removed' ? 'deleted' : 'in-use' }
  })
}

/** Signs with a new secret from now on, and for another day with the previous secret too. */
export async function rotateSecret(
  deps: ChannelsDeps,
  id: string,
  given: string | null,
): Promise<(Saved & { secret: string | null }) | Rejected> {
  const { vault } = deps
  if (vault === null) return { kind: 'no-vault' }
  let secret: string | null = given
  const saved = await revise(deps, id, (channel, now) => {
    secret = given ?? (channel.settings.kind === 'webhook' ? deps.newSecret() : null)
    const settings = deps.parse(channel.settings, secret, deps.allowedTargets)
    if (!settings.ok) return { kind: 'invalid', problems: settings.problems.map(asSecret) }
    if (secret === null) return { kind: 'invalid', problems: [NO_SECRET] }
    // Only signing secrets can overlap: a password or an API key is replaced at once.
    const previous = channel.settings.kind === 'webhook' ? activeSecrets(channel, now) : []
    const expiring = previous.map((old) => ({
      ...old,
      expiresAt: Math.min(old.expiresAt ?? Number.POSITIVE_INFINITY, now + ROTATION_MS),
    }))
    return { ...channel, secrets: [sealed(vault, secret, channel, now), ...expiring] }
  })
  return saved.kind === 'saved' ? { ...saved, secret: given === null ? secret : null } : saved
}

const NO_SECRET = {
  field: 'secret',
  code: 'REQUIRED',
  message: 'Give the new SMTP URL or API key. Only the secret of a webhook can be generated.',
} as const

/** The settings do not change in a rotation, so a problem of the SMTP URL is one of the given secret. */
function asSecret(problem: FieldProblem): FieldProblem {
  return problem.field === 'server' ? { ...problem, field: 'secret' } : problem
}

function revise(
  deps: ChannelsDeps,
  id: string,
  change: (channel: ChannelRecord, now: number) => ChannelRecord | Rejected,
  evenIfManaged = false,
): Promise<Saved | Rejected> {
  return retryOnConflict(`Channel ${id}`, async () => {
    const channel = (await deps.store.listChannels()).find((one) => one.id === id)
    if (channel === undefined) return { kind: 'missing' }
    if (id === ENVIRONMENT_CHANNEL && !evenIfManaged) return { kind: 'managed' }
    const now = deps.clock.now()
    const changed = change(channel, now)
    if ('kind' in changed) return changed
    const saved = await save(deps, { ...changed, version: channel.version + 1, updatedAt: now })
    // The workers try a changed or released channel at once, also if its destination was down.
    if (saved.kind === 'saved' && changed.status === 'ACTIVE') await deps.store.markUp(id, now)
    return saved.kind === 'outdated' ? null : saved
  })
}

async function save(deps: ChannelsDeps, channel: ChannelRecord): Promise<Saved | Rejected> {
  const result = await deps.store.saveChannel(channel)
  if (result !== 'saved') return { kind: result === 'taken' ? 'taken' : 'outdated' }
  deps.onSaved?.()
  return { kind: 'saved', channel }
}

function sealed(
  vault: Vault,
  secret: string,
  channel: Pick<ChannelRecord, 'id' | 'settings'>,
  now: number,
): SealedSecret {
  return { sealed: vault.seal(secret, placeOfSecrets(channel)), createdAt: now, expiresAt: null }
}
