// A channel: a named destination with its settings, secrets and status. Holds no connection.
import { sha256Hex } from '../formats/sha256.ts'

/** The id of the channel that WEBHOOK_URL sets up. */
export const ENVIRONMENT_CHANNEL = '00000000-0000-7000-8000-00000000e000'

/** The id of the built-in inbox, and of no destination at all. Neither is stored; events record them. */
export const INBOX_CHANNEL = '00000000-0000-7000-8000-00000000f000'
export const NO_CHANNEL = '00000000-0000-7000-8000-00000000f001'
/** The id of the handlers of an application that Terce is embedded in. */
export const HANDLER_CHANNEL = '00000000-0000-7000-8000-00000000f002'

export const CHANNEL_KINDS = ['webhook', 'smtp', 'resend'] as const
export type ChannelKind = (typeof CHANNEL_KINDS)[number]

/**
 * The hosts that channels may send to. `public`: no private address, neither one that is written in a target nor one that a name
 * resolves to, and only encrypted. `loopback`: also targets that name this computer, such as 127.0.0.1 and localhost.
 */
export const ALLOWED_TARGETS = ['public', 'loopback', 'any'] as const
export type AllowedTargets = (typeof ALLOWED_TARGETS)[number]

/** The built-in channels that events can be sent to, by id. */
export const BUILT_IN: ReadonlyMap<string, string> = new Map([
  [INBOX_CHANNEL, 'inbox'],
  [HANDLER_CHANNEL, 'handlers'],
])

/**
 * ACTIVE sends. HELD leaves its events unclaimed until it is released: the receiver rejected our credentials. The hold of an operator is
 * not stored here, but in the state of the destination. DISABLED fails its events, which can be replayed: the receiver is
 * gone, or an operator disabled the channel.
 */
export const CHANNEL_STATUSES = ['ACTIVE', 'HELD', 'DISABLED'] as const
export type ChannelStatus = (typeof CHANNEL_STATUSES)[number]

/** The limits of a destination, over all workers; null for no limit. */
export type ChannelLimits = { perSecond: number | null; concurrency: number | null }

export const NO_LIMITS: Readonly<ChannelLimits> = { perSecond: null, concurrency: null }

export type MailSettings = ChannelLimits & {
  from: string
  replyTo: string | null
  /** A URL in which `{userId}` is replaced by the user's id. */
  listUnsubscribe: string | null
}

/** The settings that are not secret. The address of an SMTP server contains its password, so it is a secret. */
export type ChannelSettings =
  | ({ kind: 'webhook'; url: string } & ChannelLimits)
  | ({
      kind: 'smtp'
      /** True to send over the internet without TLS. */
      allowPlaintext?: boolean
    } & MailSettings)
  | ({ kind: 'resend'; baseUrl: string } & MailSettings)

/** An encrypted secret. `expiresAt` is set while it is being rotated out. */
export type SealedSecret = { sealed: string; createdAt: number; expiresAt: number | null }

export type ChannelRecord = {
  id: string
  name: string
  settings: ChannelSettings
  secrets: readonly SealedSecret[]
  /** When it was last made the default. The channel with the latest time is the default. */
  defaultSince: number | null
  status: ChannelStatus
  /** What the receiver responded; null if it is active, or if an operator disabled it. */
  statusReason: string | null
  version: number
  createdAt: number
  updatedAt: number
}

export function defaultChannel(channels: readonly ChannelRecord[]): ChannelRecord | null {
  let found: ChannelRecord | null = null
  for (const channel of channels) {
    if (channel.defaultSince !== null && channel.defaultSince >= (found?.defaultSince ?? 0)) found = channel
  }
  return found
}

export function activeSecrets(channel: Pick<ChannelRecord, 'secrets'>, now: number): SealedSecret[] {
  return channel.secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
}

/**
 * The place that the secrets of a channel are sealed for: the channel, and the host that a secret is sent to. A secret can
 * be sent to no other host. The host of an SMTP server is part of its secret, and the secret of a webhook is never sent.
 */
export function placeOfSecrets({ id, settings }: Pick<ChannelRecord, 'id' | 'settings'>): string {
  return settings.kind === 'resend' ? `${id} ${new URL(settings.baseUrl).origin}` : id
}

/** The statuses with which a receiver rejects our credentials or our signature; 535 is SMTP. */
export const UNAUTHORIZED: readonly (number | null)[] = [401, 403, 535]

/** How to make a stopped channel send again. */
export function releaseRemedy(
  channel: Pick<ChannelRecord, 'id' | 'name' | 'statusReason'> & { status: string },
): string {
  const { id, name, status, statusReason } = channel
  if (status === 'HELD' && statusReason === null) return `terce release --channel "${name}" ends the hold.`
  const release = `POST /channel/${id}/release`
  if (statusReason === null) return `${release} releases it.`
  if (id === ENVIRONMENT_CHANNEL)
    return `Correct WEBHOOK_SECRET or WEBHOOK_URL and restart, or fix the receiver and ${release}.`
  return `Fix its secret or the receiver, then ${release}.`
}

/** The settings of the channel of WEBHOOK_URL, as one process has them. */
export type Environment = { url: string; secrets: readonly string[] }

/**
 * The stored secrets of the channel of WEBHOOK_URL are hashes: processes compare them, and each signs with its own secret. A
 * signing secret is random, so its hash reveals nothing.
 */
export function environmentSecrets({ secrets }: Environment, now: number): SealedSecret[] {
  return secrets.map((secret) => ({ sealed: hashOf(secret), createdAt: now, expiresAt: null }))
}

/** How the stored channel of WEBHOOK_URL differs from a process's own environment. */
export function environmentDifference(
  { settings, secrets }: ChannelRecord,
  environment: Environment,
): 'url' | 'secret' | null {
  if (settings.kind !== 'webhook' || settings.url !== environment.url) return 'url'
  const isSigned = secrets.map(({ sealed }) => sealed).join() === environment.secrets.map(hashOf).join()
  return isSigned ? null : 'secret'
}

function hashOf(secret: string): string {
  return `sha256:${sha256Hex(secret)}`
}

/** A webhook URL may contain a token in its query. */
export function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}
