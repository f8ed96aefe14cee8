// Sets up where messages go: named channels with their settings and sealed secrets. A secret is shown once, when it is made.

import type { FieldProblem } from '../../domain/errors.ts'
import type { Ids } from '../../domain/events/uuid.ts'
import {
  activeSecrets,
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
  /** Null while there is no key to seal secrets with. */
  vault: Vault | null
  /** A new secret for signing. */
  newSecret: () => string
  /** What is wrong with settings and a secret of a kind, as the adapter that will use them sees it. */
  check: (settings: ChannelSettings, secret: string | null) => FieldProblem[]
  /** Opens a connection to send a test over. */
  open: (record: ChannelRecord) => Channel
}

export type ChannelInput = {
  name: string
  settings: ChannelSettings
  /** Null for one that we make (webhooks). */
  secret: string | null
  isDefault: boolean
}

export type Refused =
  | { kind: 'invalid'; problems: FieldProblem[] }
  | { kind: 'taken' }
  | { kind: 'missing' }
  | { kind: 'outdated' }
  /** There is no key to seal secrets with. */
  | { kind: 'no-vault' }
  | { kind: 'managed' }

export type Saved = { kind: 'saved'; channel: ChannelRecord }

/** How long the old secret still signs after a rotation, so that the receiver can switch to the new one. */
const ROTATION_MS = DAY_MS

export async function createChannel(
  deps: ChannelsDeps,
  input: ChannelInput,
): Promise<(Saved & { secret: string | null }) | Refused> {
  const { vault } = deps
  if (vault === null) return { kind: 'no-vault' }
  const made = input.settings.kind === 'webhook' && input.secret === null
  const secret = made ? deps.newSecret() : input.secret
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
  return saved.kind === 'saved' ? { ...saved, secret: made ? secret : null } : saved
}

export type ChannelChange = {
  name?: string
  /** Replaces those named; the kind stays. */
  settings?: Partial<ChannelSettings>
  isDefault?: true
  ifVersion: readonly number[] | null
}

export async function changeChannel(
  deps: ChannelsDeps,
  id: string,
  change: ChannelChange,
): Promise<Saved | Refused> {
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

/** Pauses, resumes or switches off. */
export async function switchChannel(
  deps: ChannelsDeps,
  id: string,
  status: ChannelStatus,
): Promise<Saved | Refused> {
  const reason = status === 'ACTIVE' ? null : 'BY_HAND'
  const toStatus = (channel: ChannelRecord) => ({
    ...channel,
    status,
    statusReason: reason,
  })
  return revise(deps, id, toStatus, { evenIfManaged: true })
}

/** A new secret signs from now on; the one before goes on beside it for a day. */
export async function rotateSecret(
  deps: ChannelsDeps,
  id: string,
  given: string | null,
): Promise<(Saved & { secret: string | null }) | Refused> {
  const { vault } = deps
  if (vault === null) return { kind: 'no-vault' }
  let secret: string | null = given
  const saved = await revise(deps, id, (channel, now) => {
    secret = given ?? (channel.settings.kind === 'webhook' ? deps.newSecret() : null)
    const problems = deps.check(channel.settings, secret)
    if (problems.length > 0 || secret === null) return { kind: 'invalid', problems }
    // Only signatures can stand side by side: a password or a key is replaced at once.
    const before = channel.settings.kind === 'webhook' ? activeSecrets(channel, now) : []
    const leaving = before.map((old) => ({
      ...old,
      expiresAt: Math.min(old.expiresAt ?? Number.POSITIVE_INFINITY, now + ROTATION_MS),
    }))
    return { ...channel, secrets: [sealed(vault, secret, now), ...leaving] }
  })
  return saved.kind === 'saved' ? { ...saved, secret: given === null ? secret : null } : saved
}

/** Sends a message that says it is a test. Nothing is kept of it. */
export async function testChannel(
  deps: ChannelsDeps,
  id: string,
  body: (channel: ChannelRecord, eventId: string) => string,
): Promise<{ kind: 'sent'; result: DeliveryResult; tookMs: number } | Refused> {
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
  change: (channel: ChannelRecord, now: number) => ChannelRecord | Refused,
  how = { evenIfManaged: false },
): Promise<Saved | Refused> {
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

async function save(deps: ChannelsDeps, channel: ChannelRecord): Promise<Saved | Refused> {
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
