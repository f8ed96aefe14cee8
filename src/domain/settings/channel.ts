// A channel: a named destination with its settings, secrets and status. Holds no connection.

/** The id of the channel that WEBHOOK_URL sets up. */
export const ENVIRONMENT_CHANNEL = '00000000-0000-7000-8000-00000000e000'

/** The id of the built-in inbox, and of no destination at all. Neither is stored; events record them. */
export const INBOX_CHANNEL = '00000000-0000-7000-8000-00000000f000'
export const NO_CHANNEL = '00000000-0000-7000-8000-00000000f001'

export const CHANNEL_KINDS = ['webhook', 'smtp', 'resend'] as const
export type ChannelKind = (typeof CHANNEL_KINDS)[number]

/**
 * ACTIVE sends. PAUSED parks its events until it is resumed: the receiver rejected our credentials. DISABLED fails its
 * events, which can be replayed: the receiver is gone, or an operator disabled the channel.
 */
export const CHANNEL_STATUSES = ['ACTIVE', 'PAUSED', 'DISABLED'] as const
export type ChannelStatus = (typeof CHANNEL_STATUSES)[number]

/** The limits of a destination, per process; null for no limit. */
export type ChannelLimits = { perSecond: number | null; concurrency: number | null }

export type MailSettings = ChannelLimits & {
  from: string
  replyTo: string | null
  /** A URL in which `{userId}` is replaced by the user's id. */
  listUnsubscribe: string | null
}

/** The settings that are not secret. The address of an SMTP server contains its password, so it is a secret. */
export type ChannelSettings =
  | ({ kind: 'webhook'; url: string } & ChannelLimits)
  | ({ kind: 'smtp' } & MailSettings)
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
