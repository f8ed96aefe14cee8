// Occasions and tasks of a person.
import { useQuery } from '@tanstack/react-query'
import { wallIn } from '../clock/format.ts'
import { now } from '../clock/now.ts'
import { api } from './client.ts'
import { KEYS } from './query-keys.ts'
import type { Occasion, OccasionInput, User } from './types.ts'

export function useOccasions(userId: string) {
  return useQuery({
    queryKey: KEYS.occasions(userId),
    queryFn: ({ signal }) => api.get('/user/{id}/occasion', { path: { id: userId }, signal }),
  })
}

export function createOccasion(userId: string, input: OccasionInput): Promise<Occasion> {
  return api.post('/user/{id}/occasion', { path: { id: userId }, body: input })
}

export const TEST_MESSAGE = 'TEST_MESSAGE'

/** Sends a test message that is due now. */
export function sendTestMessage({ id, timezone }: User): Promise<Occasion> {
  return createOccasion(id, {
    type: TEST_MESSAGE,
    date: wallIn(now(), timezone).date,
    localTime: '00:00',
    repeats: 'ONCE',
    template: 'Hello, {{ firstName }}! This is a test message.',
    sendTodayNow: true,
  })
}

export function changeOccasion(id: string, change: Partial<OccasionInput>) {
  return api.put('/occasion/{id}', { path: { id }, body: change })
}

export function switchOccasion(id: string, to: 'pause' | 'resume') {
  return api.post(`/occasion/{id}/${to}`, { path: { id } })
}

export function deleteOccasion(id: string) {
  return api.delete('/occasion/{id}', { path: { id } })
}

type Preview = OccasionInput & { userId: string; count: number }

export function previewOccasion(preview: Preview, signal: AbortSignal) {
  return api.post('/occasion/preview', { body: preview, signal })
}

export function useTasks(userId: string) {
  return useQuery({
    queryKey: KEYS.tasks(userId),
    queryFn: ({ signal }) => api.get('/task', { query: { userId, limit: 100 }, signal }),
  })
}

type TaskInput = { title: string; dueAt: string; remindBefore?: string }

export function createTask(userId: string, input: TaskInput) {
  return api.post('/task', { body: { userId, ...input } })
}

export function changeTask(id: string, input: Partial<TaskInput>) {
  return api.put('/task/{id}', { path: { id }, body: input })
}

export function completeTask(id: string) {
  return api.post('/task/{id}/complete', { path: { id } })
}

export function deleteTask(id: string) {
  return api.delete('/task/{id}', { path: { id } })
}
