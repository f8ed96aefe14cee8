// Occasions and tasks of a person.
import { useQuery } from '@tanstack/react-query'
import { wallIn } from '../clock/format.ts'
import { now } from '../clock/now.ts'
import { call } from './client.ts'
import { KEYS } from './query-keys.ts'
import type { Move, NextReason, Occasion, OccasionInput, Occurrence, Page, Task, User } from './types.ts'

export function readOccasions(userId: string): Promise<{ items: Occasion[] }> {
  return call('GET', `/user/${userId}/occasion`)
}

export function useOccasions(userId: string, { enabled = true } = {}) {
  return useQuery({ queryKey: KEYS.occasions(userId), queryFn: () => readOccasions(userId), enabled })
}

export function createOccasion(userId: string, input: OccasionInput): Promise<Occasion> {
  return call('POST', `/user/${userId}/occasion`, { body: input })
}

/** Sends a test message that is due now. */
export function sendTestMessage({ id, timezone }: User): Promise<Occasion> {
  return createOccasion(id, {
    type: 'TEST_MESSAGE',
    date: wallIn(now(), timezone).date,
    localTime: '00:00',
    repeats: 'ONCE',
    template: 'Hello, {{ firstName }}! This is a test message.',
    sendTodayNow: true,
  })
}

type Changed = { occasion: Occasion; moves: Move[]; skipped: number }

export function changeOccasion(
  id: string,
  change: Partial<OccasionInput>,
  dryRun: boolean,
): Promise<Changed> {
  return call('PUT', `/occasion/${id}`, { body: change, query: { dryRun: dryRun || undefined } })
}

export function switchOccasion(id: string, to: 'pause' | 'resume'): Promise<Occasion> {
  return call('POST', `/occasion/${id}/${to}`)
}

export function deleteOccasion(id: string): Promise<void> {
  return call('DELETE', `/occasion/${id}`)
}

type Preview = OccasionInput & { userId?: string; timezone?: string; from?: string; count?: number }

export function previewOccasion(
  preview: Preview,
): Promise<{ rule?: string; occurrences: Occurrence[]; nextReason: NextReason }> {
  return call('POST', '/occasion/preview', { body: preview })
}

export function useTasks(userId: string) {
  return useQuery({
    queryKey: KEYS.tasks(userId),
    queryFn: () => call<Page<Task>>('GET', '/task', { query: { userId, limit: 100 } }),
  })
}

export type TaskInput = { title: string; dueAt: string; remindBefore?: string }

export function createTask(userId: string, input: TaskInput): Promise<Task> {
  return call('POST', '/task', { body: { userId, ...input } })
}

export function changeTask(id: string, input: Partial<TaskInput>): Promise<Task> {
  return call('PUT', `/task/${id}`, { body: input })
}

export function completeTask(id: string): Promise<Task> {
  return call('POST', `/task/${id}/complete`)
}

export function deleteTask(id: string): Promise<void> {
  return call('DELETE', `/task/${id}`)
}
