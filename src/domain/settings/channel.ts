// Where messages go: a named destination with its settings, its secrets and its state. Holds no connection.

/** The id of the channel that WEBHOOK_URL sets up. */
export const ENVIRONMENT_CHANNEL = '00000000-0000-7000-8000-00000000e000'

export const CHANNEL_KINDS = ['webhook', 'smtp', 'resend'] as const
export type ChannelKind = (typeof CHANNEL_KINDS)[number]

/**
 * ACTIVE sends. PAUSED keeps its events until it is resumed: the far side refused who we are. DISABLED fails them, each to
 * be replayed: the far side said that it is gone, or somebody switched it off.
 */
export const CHANNEL_STATUSES = ['ACTIVE', 'PAUSED', 'DISABLED'] as const
export type ChannelStatus = (typeof CHANNEL_STATUSES)[number]

/** What a destination can bear, in one process; null for no limit of its own. */
export type ChannelLimits = { perSecond: number | null; concurrency: number | null }

export type MailSettings = ChannelLimits & {
  from: string
  replyTo: string | null
  /** A web address in which `{userId}` stands for the user. */
  listUnsubscribe: string | null
}

/** What is not secret of each kind. The address of an SMTP server holds its password, and is a secret. */
export type ChannelSettings =
  | ({ kind: 'webhook'; url: string } & ChannelLimits)
  | ({ kind: 'smtp' } & MailSettings)
  | ({ kind: 'resend'; baseUrl: string } & MailSettings)

/** A secret as it is kept: enciphered. One with an end is being rotated out. */
export type SealedSecret = { sealed: string; createdAt: number; expiresAt: number | null }

export type ChannelRecord = {
  id: string
  name: string
  settings: ChannelSettings
  secrets: readonly SealedSecret[]
  /** When it was last named the default; the latest so named is. */
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
