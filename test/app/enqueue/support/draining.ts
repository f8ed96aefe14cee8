// Drains a real PostgreSQL as a worker does, and enqueues as an application does.

import { applyEnqueued, unexpectedProblem } from '../../../../src/api/enqueue.ts'
import type { AppDeps } from '../../../../src/app/app-deps.ts'
import { type DrainDeps, drainEnqueued } from '../../../../src/app/enqueue/drain.ts'
import type { AuditRecord } from '../../../../src/domain/access/audit.ts'
import type { Notice } from '../../../../src/ports/telemetry.ts'
import { systemClock } from '../../../../src/runtimes/shared/system-clock.ts'
import type { PostgresStore } from '../../../../src/stores/postgres/postgres-store.ts'
import { query } from '../../../stores/postgres/support/audit.ts'
import { planner } from '../../../stores/postgres/support/due-people.ts'

export type Drained = DrainDeps & { notices: Notice[]; audited: AuditRecord[]; planned: number[] }

export function drainDeps(store: PostgresStore, apply: DrainDeps['apply'] = applyEnqueued): Drained {
  const notices: Notice[] = []
  const audited: AuditRecord[] = []
  const planned: number[] = []
  const app: AppDeps = {
    store,
    planner,
    clock: systemClock,
    telemetry: (notice) => void notices.push(notice),
    deliverAt: '09:00',
    onPlanned: (at) => void planned.push(at),
  }
  const audit = { record: async (record: AuditRecord) => void audited.push(record) }
  return { enqueued: store, app, audit, apply, problemOf: unexpectedProblem, notices, audited, planned }
}

export const drain = (deps: DrainDeps) => drainEnqueued(deps, () => false)

export const person = (externalId: string, fields: object = {}) => ({
  externalId,
  firstName: 'Ada',
  lastName: 'Lovelace',
  dateOfBirth: '1990-12-15',
  timezone: 'Europe/London',
  ...fields,
})

export const task = (externalId: string, fields: object = {}) => ({
  externalId,
  title: 'Renew the passport',
  dueAt: '2036-12-15T16:00:00Z',
  ...fields,
})

const literal = (value: object | string) =>
  `'${(typeof value === 'string' ? value : JSON.stringify(value)).replaceAll("'", "''")}'`

/** As SQL, for a transaction of the application. */
export const enqueueUser = (body: object) => `SELECT terce.enqueue_user(${literal(body)})`
export const enqueueTask = (body: object) => `SELECT terce.enqueue_task(${literal(body)})`
export const enqueueDeletion = (id: string) => `SELECT terce.enqueue_user_deletion(${literal(id)})`

export type Row = Record<string, unknown> & { external_id: string }

export const errors = (url: string) => query<Row>(url, 'SELECT * FROM terce.enqueue_errors ORDER BY id')
export const enqueued = (url: string) => query<Row>(url, 'SELECT * FROM terce.enqueued_changes ORDER BY id')
