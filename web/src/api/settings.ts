// Channels, templates, API keys, time zone data and calendar feeds.
import { useQuery } from '@tanstack/react-query'
import { api } from './client.ts'
import { KEYS } from './query-keys.ts'
import type { Channel, ChannelChange, NewChannel } from './settings-types.ts'
import type { Scope } from './types.ts'

export function useChannels({ enabled = true } = {}) {
  return useQuery({
    queryKey: KEYS.channels,
    queryFn: ({ signal }) => api.get('/channel', { signal }),
    enabled,
  })
}

/** Undefined while messages go to the inbox. */
export async function readDefaultChannel() {
  return (await api.get('/channel')).items.find(({ isDefault }) => isDefault)
}

/** The built-in inbox and handlers have one too. */
export function useChannelHealth(id: string) {
  return useQuery({
    queryKey: [...KEYS.channels, id, 'health'],
    queryFn: ({ signal }) => api.get('/channel/{id}/health', { path: { id }, signal }),
  })
}

const POLL_MS = 500
const MAX_POLLS = 20

/**
 * Makes the next try of a destination due, and returns its state after the try. A worker moves the time of the next try when it
 * begins and when it has failed: a time that stays is that of a failed try. Where workers run on demand none may have begun.
 */
export async function probeChannel(id: string) {
  let health = await api.post('/channel/{id}/probe', { path: { id } })
  const due = health.nextProbeAt
  for (let polls = 0, last = due; polls < MAX_POLLS && health.waiting > 0; polls++) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    health = await api.get('/channel/{id}/health', { path: { id } })
    const { downSince, nextProbeAt } = health
    if (downSince === null || (nextProbeAt !== due && nextProbeAt === last)) break
    last = nextProbeAt
  }
  return health
}

export function makeInboxDefault() {
  return api.post('/inbox/default')
}

export function createChannel(channel: NewChannel) {
  return api.post('/channel', { body: channel })
}

/** Rejected if the channel was changed since it was shown. */
export function changeChannel({ id, version }: Channel, change: ChannelChange) {
  return api.put('/channel/{id}', { path: { id }, body: change, header: { 'If-Match': `"v${version}"` } })
}

export function deleteChannel(id: string) {
  return api.delete('/channel/{id}', { path: { id } })
}

export function testChannel(id: string) {
  return api.post('/channel/{id}/test', { path: { id } })
}

/** Without a secret, a webhook gets a generated one. */
export function rotateSecret(id: string, secret?: string) {
  return api.post('/channel/{id}/rotate', { path: { id }, body: secret === undefined ? {} : { secret } })
}

/** Lets the messages of a channel wait, or of all channels if the id is null. `until` is null for a hold without an end. */
export function hold(id: string | null, until: string | null): Promise<unknown> {
  return id === null
    ? api.post('/channel/hold', { body: { until } })
    : api.post('/channel/{id}/hold', { path: { id }, body: { until } })
}

export function releaseAll() {
  return api.post('/channel/release')
}

export function switchChannel(id: string, to: 'release' | 'disable') {
  return api.post(`/channel/{id}/${to}`, { path: { id } })
}

export function useSettings() {
  return useQuery({
    queryKey: KEYS.settings,
    queryFn: ({ signal }) => api.get('/setting', { signal }),
    meta: { live: false },
  })
}

export function useOccasionTypes() {
  return useQuery({
    queryKey: KEYS.occasionTypes,
    queryFn: ({ signal }) => api.get('/occasion-type', { signal }),
    meta: { live: false },
  })
}

export function useTemplates() {
  return useQuery({
    queryKey: KEYS.templates,
    queryFn: ({ signal }) => api.get('/template', { signal }),
    meta: { live: false },
  })
}

type TemplateAddress = { type: string; language: string | null }

/** Rejected with 412 if the template is not at this version any more; 0 for a new template. */
export function saveTemplate(
  { type, language }: TemplateAddress,
  body: { body: string; subject: string | null },
  version: number,
) {
  const header = version === 0 ? {} : { 'If-Match': `"v${version}"` }
  return language === null
    ? api.put('/template/{type}', { path: { type }, body, header })
    : api.put('/template/{type}/{language}', { path: { type, language }, body, header })
}

export function deleteTemplate({ type, language }: TemplateAddress) {
  return language === null
    ? api.delete('/template/{type}', { path: { type } })
    : api.delete('/template/{type}/{language}', { path: { type, language } })
}

type TemplateTrial = {
  type: string
  body: string
  subject?: string | null
  userId?: string
  lateBySeconds?: number
}

export function previewTemplate(trial: TemplateTrial, signal: AbortSignal) {
  return api.post('/template/preview', { body: trial, signal })
}

export function useApiKeys() {
  return useQuery({
    queryKey: KEYS.apiKeys,
    queryFn: ({ signal }) => api.get('/key', { signal }),
    meta: { live: false },
  })
}

type NewKey = { name: string; scope: Scope; expiresAt: string | null; allowedFrom: string[] }

export function createKey(key: NewKey) {
  return api.post('/key', { body: key })
}

export function revokeKey(id: string) {
  return api.delete('/key/{id}', { path: { id } })
}

export function useTimezones() {
  return useQuery({
    queryKey: KEYS.timezones,
    queryFn: ({ signal }) => api.get('/tz', { signal }),
    meta: { live: false },
  })
}

export function replan(dryRun: boolean) {
  return api.post('/tz/replan', { query: { dryRun } })
}

export function useFeeds() {
  return useQuery({
    queryKey: KEYS.feeds,
    queryFn: ({ signal }) => api.get('/feed', { signal }),
    meta: { live: false },
  })
}

export function createFeed(userId: string | null) {
  return api.post('/feed', { body: userId === null ? {} : { userId } })
}

export function deleteFeed(id: string) {
  return api.delete('/feed/{id}', { path: { id } })
}
