// Creates people whose events fell due a minute ago, and settles the events with a given outcome.
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { FAILED, work } from '../../http/support/event-steps.ts'
import type { TestApp } from '../../http/support/test-app.ts'
import { type Due, seedDuePeople } from '../../runtimes/support/due-people.ts'

const OUTCOMES = {
  delivered: {},
  failed: {
    ...FAILED,
    failure: { code: 'RETRIES_EXHAUSTED', lastError: 'HTTP 503' },
    statusCode: 503,
  },
  gone: FAILED,
  retry: { kind: 'retry' as const },
}

/** Creates that many people, then claims and settles their events; `null` leaves the events unclaimed. */
export async function deliver(
  path: string,
  count: number,
  outcome: keyof typeof OUTCOMES | null,
): Promise<Due[]> {
  const people = Array.from({ length: count }, () => ({ firstName: 'Ada', lastName: 'Lovelace' }))
  const due = await seedDuePeople(path, people)
  if (outcome === null) return due
  const store = openSqliteStore(path)
  // The settlement is 200 ms later, which is now: a command that starts at once must not find it in the future.
  await work({ store } as TestApp, Date.now() - 200, OUTCOMES[outcome])
  await store.close()
  return due
}

export async function statuses(path: string): Promise<Record<string, number>> {
  const store = openSqliteStore(path)
  const { items } = await store.listEvents({ limit: 1_000, cursor: null })
  await store.close()
  const counts: Record<string, number> = {}
  for (const { status } of items) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
