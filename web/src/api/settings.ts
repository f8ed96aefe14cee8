// Channels, templates, API keys, time zone data and calendar feeds.
import { useQuery } from '@tanstack/react-query'
import { call } from './client.ts'
import { KEYS } from './query-keys.ts'
import type {
  ApiKey,
  Channel,
  ChannelChange,
  ChannelTest,
  Feed,
  NewChannel,
  NewFeed,
  OccasionType,
  Rendered,
  Replan,
  Setting,
  Template,
  Timezones,
} from './settings-types.ts'
import type { Scope } from './types.ts'

export function useChannels({ enabled = true } = {}) {
  return useQuery({
    queryKey: KEYS.channels,
    queryFn: () => call<{ items: Channel[] }>('GET', '/channel'),
    enabled,
  })
}

type WithSecret = { channel: Channel; secret: string | null }

export function createChannel(channel: NewChannel): Promise<WithSecret> {
  return call('POST', '/channel', { body: channel })
}

/** Rejected if the channel was changed since it was shown. */
export function changeChannel({ id, version }: Channel, change: ChannelChange): Promise<Channel> {
  return call('PUT', `/channel/${id}`, { body: change, headers: { 'If-Match': `"v${version}"` } })
}

export function deleteChannel(id: string): Promise<void> {
  return call('DELETE', `/channel/${id}`)
}

export function testChannel(id: string): Promise<ChannelTest> {
  return call('POST', `/channel/${id}/test`)
}

/** Without a secret, a webhook gets a generated one. */
export function rotateSecret(id: string, secret?: string): Promise<WithSecret> {
  return call('POST', `/channel/${id}/rotate`, { body: { secret } })
}

export function switchChannel(id: string, to: 'pause' | 'resume' | 'disable'): Promise<Channel> {
  return call('POST', `/channel/${id}/${to}`)
}

export function useSettings() {
  return useQuery({
    queryKey: KEYS.settings,
    queryFn: () => call<{ items: Setting[] }>('GET', '/setting'),
    meta: { live: false },
  })
}

export function useOccasionTypes() {
  return useQuery({
    queryKey: KEYS.occasionTypes,
    queryFn: () => call<{ items: OccasionType[] }>('GET', '/occasion-type'),
    meta: { live: false },
  })
}

export function useTemplates() {
  return useQuery({
    queryKey: KEYS.templates,
    queryFn: () => call<{ items: Template[] }>('GET', '/template'),
    meta: { live: false },
  })
}

type TemplateAddress = { type: string; language: string | null }
const templatePath = ({ type, language }: TemplateAddress) =>
  language === null ? `/template/${type}` : `/template/${type}/${language}`

export function saveTemplate(
  at: TemplateAddress,
  text: { body: string; subject: string | null },
): Promise<Template> {
  return call('PUT', templatePath(at), { body: text })
}

export function deleteTemplate(at: TemplateAddress): Promise<void> {
  return call('DELETE', templatePath(at))
}

type TemplateTrial = {
  type: string
  body: string
  subject?: string | null
  userId?: string
  lateBySeconds?: number
}

export function previewTemplate(trial: TemplateTrial): Promise<Rendered> {
  return call('POST', '/template/preview', { body: trial })
}

export function useApiKeys() {
  return useQuery({
    queryKey: KEYS.apiKeys,
    queryFn: () => call<{ items: ApiKey[] }>('GET', '/key'),
    meta: { live: false },
  })
}

type NewKey = { name: string; scope: Scope; expiresAt: string | null }

export function createKey(key: NewKey): Promise<{ apiKey: ApiKey; key: string }> {
  return call('POST', '/key', { body: key })
}

export function revokeKey(id: string): Promise<void> {
  return call('DELETE', `/key/${id}`)
}

export function useTimezones() {
  return useQuery({
    queryKey: KEYS.timezones,
    queryFn: () => call<Timezones>('GET', '/tz'),
    meta: { live: false },
  })
}

export function replan(dryRun: boolean): Promise<Replan> {
  return call('POST', '/tz/replan', { query: { dryRun } })
}

export function useFeeds() {
  return useQuery({
    queryKey: KEYS.feeds,
    queryFn: () => call<{ items: Feed[] }>('GET', '/feed'),
    meta: { live: false },
  })
}

export function createFeed(userId: string | null): Promise<NewFeed> {
  return call('POST', '/feed', { body: userId === null ? {} : { userId } })
}

export function deleteFeed(id: string): Promise<void> {
  return call('DELETE', `/feed/${id}`)
}
