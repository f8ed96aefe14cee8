// Creates and changes channels, with their settings and encrypted secrets. A secret is returned once, when it is created.

import type { FieldProblem } from '../../domain/errors.ts'
import type { Ids } from '../../domain/events/uuid.ts'
import {
  activeSecrets,
  BY_HAND,
  type ChannelRecord,
  type ChannelSettings,
  type ChannelStatus,
  ENVIRONMENT_CHANNEL,
  type SealedSecret,
} from '../../domain/settings/channel.ts'
import { DAY_MS } from '../../domain/time/calendar.ts'
import type { Channel, DeliveryResult } from '../../ports/channel.ts'
import type { Clock } from '../../ports/clock.ts'
import type { SettingsStore } from '../../ports/store.ts'
import type { Vault } from '../../ports/vault.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'

export type ChannelsDeps = {
  store: SettingsStore
  clock: Clock
  ids: Ids
  /** Null if TERCE_SECRET_KEY is not set. */
  vault: Vault | null
  /** A new secret for signing. */
  newSecret: () => string
  /** Validates settings and a secret for the adapter of their kind. */
  check: (settings: ChannelSettings, secret: string | null) => FieldProblem[]
  /** Opens a connection to send a test over. */
  open: (record: ChannelRecord) => Channel
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
  /** TERCE_SECRET_KEY is not set. */
  | { kind: 'no-vault' }
  | { kind: 'managed' }

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
  const problems = deps.check(input.settings, secret)
  if (problems.length > 0) return { kind: 'invalid', problems }
  const now = deps.clock.now()
  const channel: ChannelRecord = {
    id: deps.ids(now),
    name: input.name,
    settings: input.settings,
    secrets: secret === null ? [] : [sealed(vault, secret, now)],
    defaultSince: input.isDefault ? now : null,
    status: 'ACTIVE',
    statusReason: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  const saved = await save(deps, channel)
  return saved.kind === 'saved' ? { ...saved, secret: isGenerated ? secret : null } : saved
}

export type ChannelChange = {
  name?: string
  /** Replaces only the given settings. The kind cannot change. */
  settings?: Partial<ChannelSettings>
  isDefault?: true
  ifVersion: readonly number[] | null
}

export async function changeChannel(
  deps: ChannelsDeps,
  id: string,
  change: ChannelChange,
): Promise<Saved | Rejected> {
  return revise(deps, id, (channel, now) => {
    if (change.ifVersion !== null && !change.ifVersion.includes(channel.version)) return { kind: 'outdated' }
    const settings = {
      ...channel.settings,
      ...change.settings,
    } as ChannelSettings
    const problems = change.settings === undefined ? [] : deps.check(settings, null)
    if (problems.length > 0) return { kind: 'invalid', problems }
    return {
      ...channel,
      name: change.name ?? channel.name,
      settings,
      defaultSince: change.isDefault ? now : channel.defaultSince,
    }
  })
}

/** Pauses, resumes or disables a channel. */
export async function setChannelStatus(
  deps: ChannelsDeps,
  id: string,
  status: ChannelStatus,
): Promise<Saved | Rejected> {
  const reason = status === 'ACTIVE' ? null : BY_HAND
  const toStatus = (channel: ChannelRecord, now: number) => ({
    ...channel,
    status,
    recoveredAt: status === 'ACTIVE' ? now : (channel.recoveredAt ?? null),
    statusReason: reason,
  })
  return revise(deps, id, toStatus, { evenIfManaged: true })
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
    const problems = deps.check(channel.settings, secret)
    if (problems.length > 0 || secret === null) return { kind: 'invalid', problems }
    // Only signing secrets can overlap: a password or an API key is replaced at once.
    const previous = channel.settings.kind === 'webhook' ? activeSecrets(channel, now) : []
    const expiring = previous.map((old) => ({
      ...old,
      expiresAt: Math.min(old.expiresAt ?? Number.POSITIVE_INFINITY, now + ROTATION_MS),
    }))
    return { ...channel, secrets: [sealed(vault, secret, now), ...expiring] }
  })
  return saved.kind === 'saved' ? { ...saved, secret: given === null ? secret : null } : saved
}

/** Sends a test message. Stores nothing. */
export async function testChannel(
  deps: ChannelsDeps,
  id: string,
  body: (channel: ChannelRecord, eventId: string) => string,
): Promise<{ kind: 'sent'; result: DeliveryResult; tookMs: number } | Rejected> {
  const record = (await deps.store.listChannels()).find((one) => one.id === id)
  if (record === undefined) return { kind: 'missing' }
  const startedAt = deps.clock.now()
  const eventId = deps.ids(startedAt)
  const channel = deps.open(record)
  try {
    const delivery = {
      eventId,
      idempotencyKey: `test-${eventId}`,
      body: body(record, eventId),
      attempt: 1,
    }
    const result = await channel.deliver(delivery, new AbortController().signal)
    return { kind: 'sent', result, tookMs: deps.clock.now() - startedAt }
  } finally {
    await channel.close()
  }
}

function revise(
  deps: ChannelsDeps,
  id: string,
  change: (channel: ChannelRecord, now: number) => ChannelRecord | Rejected,
  how = { evenIfManaged: false },
): Promise<Saved | Rejected> {
  return retryOnConflict(`Channel ${id}`, async () => {
    const channel = (await deps.store.listChannels()).find((one) => one.id === id)
    if (channel === undefined) return { kind: 'missing' }
    if (id === ENVIRONMENT_CHANNEL && !how.evenIfManaged) return { kind: 'managed' }
    const now = deps.clock.now()
    const changed = change(channel, now)
    if ('kind' in changed) return changed
    const saved = await save(deps, {
      ...changed,
      version: channel.version + 1,
      updatedAt: now,
    })
    return saved.kind === 'outdated' ? null : saved
  })
}

async function save(deps: ChannelsDeps, channel: ChannelRecord): Promise<Saved | Rejected> {
  switch (await deps.store.saveChannel(channel)) {
    case 'saved':
      return { kind: 'saved', channel }
    case 'taken':
      return { kind: 'taken' }
    case 'conflict':
      return { kind: 'outdated' }
  }
}

function sealed(vault: Vault, secret: string, now: number): SealedSecret {
  return { sealed: vault.seal(secret), createdAt: now, expiresAt: null }
}
