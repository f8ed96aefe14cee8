// What goes over the wire about the set-up: channels, templates, keys, the inbox, timezones and feeds.
import type { AnswerOf, Schemas } from './schemas.ts'
import type { Failures } from './types.ts'

export type Channel = Schemas['Channel']
export type ChannelBrief = Failures['channels'][number]
export type ChannelStatus = Channel['status']
export type ChannelKind = Channel['kind']
export type ChannelTest = Schemas['ChannelTest']

export type Template = Schemas['Template']
export type Rendered = AnswerOf<'previewTemplate'>

export type ApiKey = Schemas['ApiKey']

export type Inbox = AnswerOf<'readInbox'>
export type InboxItem = Schemas['InboxItem']
export type InboxMode = Schemas['InboxBehaviour']['mode']

export type Timezones = Schemas['Timezones']
export type Replan = Schemas['TimezoneReplan']

export type Feed = Schemas['Feed']
export type NewFeed = AnswerOf<'createFeed'>

export type ImportResult = Schemas['Import']
