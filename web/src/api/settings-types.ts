// Types of the API for channels, templates, keys, the inbox and time zones.
import type { ResponseOf, Schemas } from './schemas.ts'

export type Channel = Schemas['Channel']
export type ChannelStatus = Channel['status']
export type ChannelKind = Channel['kind']
export type ChannelHealth = Schemas['ChannelHealth']
export type ChannelTest = Schemas['ChannelTest']
export type NewChannel = Schemas['NewChannel']
export type ChannelChange = Schemas['ChannelChange']

export type Setting = Schemas['Setting']
export type OccasionType = ResponseOf<'listOccasionTypes'>['items'][number]

export type Template = Schemas['Template']
export type Rendered = ResponseOf<'previewTemplate'>

export type ApiKey = Schemas['ApiKey']
export type AuditEntry = Schemas['AuditEntry']

export type Inbox = ResponseOf<'readInbox'>
export type InboxItem = Schemas['InboxItem']
export type InboxMode = Schemas['InboxMode']['mode']

export type Timezones = Schemas['Timezones']
