// What goes over the wire about the set-up: channels, templates, keys, the inbox, timezones and feeds.
import type { Scope } from './types.ts'

export type ChannelBrief = { id: string; name: string; status: ChannelStatus; statusReason: string | null }

export type ChannelStatus = 'ACTIVE' | 'PAUSED' | 'DISABLED'
export type ChannelKind = 'webhook' | 'smtp' | 'resend'

export type Channel = ChannelBrief & {
  kind: ChannelKind
  url?: string
  from?: string
  perSecond: number | null
  concurrency: number | null
  isDefault: boolean
  managedByEnvironment: boolean
  secrets: { createdAt: string; expiresAt: string | null }[]
  version: number
}

export type ChannelTest = {
  delivered: boolean
  statusCode: number | null
  error: string | null
  tookMs: number
}

export type Template = {
  type: string
  language: string | null
  subject: string | null
  body: string
  updatedAt: string
  version: number
}

export type Rendered = { message: string; subject: string; text: string; html: string }

export type ApiKey = {
  id: string
  name: string
  scope: Scope
  createdAt: string
  lastUsedAt: string | null
  revokedAt: string | null
}

export type InboxMode = 'accept' | 'refuse' | 'hang'

export type InboxItem = {
  idempotencyKey: string | null
  message: string | null
  body: string
  headers: Record<string, string>
  receivedAt: string
  timesReceived: number
  refusals: number
  /** Where the server checked the signature itself. */
  verified?: boolean | null
}

export type Inbox = { behaviour: InboxMode; refused: number; items: InboxItem[] }

export type Timezones = {
  version: string
  recorded: string[]
  state: 'CURRENT' | 'REPLAN_DUE' | 'UNRECORDED' | 'TABLE_OLDER'
  differs: {
    zone: string
    from: string
    to: string
    since: string
    offsetFrom: string
    offsetTo: string
  }[]
  lastChange: { at: string; from: string; zones: string[] } | null
}

export type Replan = {
  version: string
  dryRun: boolean
  moved: number
  restamped: number
  zones: { zone: string; people: number; moved: number; restamped: number }[]
}

export type Feed = { id: string; userId: string | null; createdAt: string }
export type NewFeed = Feed & { url: string }

export type ImportResult = {
  read: number
  created: number
  /** There already, by external id. */
  unchanged: number
  refused: number
  errors: { line: number; field: string; message: string }[]
}
