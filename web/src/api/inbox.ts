// The development inbox, the timezone data, and calendar feeds.
import { useQuery } from '@tanstack/react-query'
import { call } from './client.ts'
import { KEYS } from './query-keys.ts'
import type { Feed, Inbox, InboxMode, NewFeed, Replan, Timezones } from './settings-types.ts'

export function useInbox({ enabled = true } = {}) {
  return useQuery({ queryKey: KEYS.inbox, queryFn: () => call<Inbox>('GET', '/inbox'), enabled })
}

export function setInboxMode(mode: InboxMode): Promise<void> {
  return call('PUT', '/inbox/behaviour', { body: { mode } })
}

export function emptyInbox(): Promise<void> {
  return call('DELETE', '/inbox')
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
