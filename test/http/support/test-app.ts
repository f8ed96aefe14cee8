// The app on a real in-memory store, with a clock that only moves when it is set.
import { expect } from 'vitest'
import { createAudit } from '../../../src/app/access/audit.ts'
import type { AppDeps } from '../../../src/app/app-deps.ts'
import { createIds } from '../../../src/domain/events/uuid.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import { createApp } from '../../../src/http/app.ts'
import type { WebFiles } from '../../../src/http/dashboard/web-files.ts'
import { createInbox } from '../../../src/http/inbox/inbox.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { Store } from '../../../src/ports/store.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'

export const ADA = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  dateOfBirth: '1990-12-15',
  timezone: 'America/Vancouver',
}

/** Signs deliveries to the inbox. */
export const INBOX_SECRET = `whsec_${btoa('a secret of thirty-two characters')}`

export const NO_ONE = '01990000-0000-7000-8000-000000000000'

import { clockAt } from '../../support/fixtures.ts'
import { type AccessOptions, accessFor, ENVIRONMENT_KEY } from './test-access.ts'
import { createTestChannels, type TestFarSide } from './test-channels.ts'

// biome-ignore lint/suspicious/noExplicitAny: the tests are about what is in it
export type Json = any
export type Sent = { method?: string; body?: unknown; text?: string; headers?: Record<string, string> }

export function createTestApp(
  options: {
    inbox?: null
    ready?: () => Promise<void>
    sealed?: false
    targets?: 'loopback'
    web?: WebFiles
    compresses?: true
    onDemand?: true
    reportTo?: string
    /** By default one in memory. */
    store?: Store
    /** By default timers never fire, and CPU time is not measured. */
    timers?: Omit<Clock, 'now' | 'elapsedMs'>
  } & AccessOptions = {},
) {
  const store = options.store ?? openSqliteStore(':memory:')
  const errors: unknown[] = []
  const planned: number[] = []
  let now = Date.parse('2026-11-15T04:00:00Z')
  let elapsedMs = 0
  const appDeps: AppDeps<Store> = {
    store,
    planner: { ids: createIds(() => 0.5), table: tzdb },
    clock: { ...clockAt(() => now), elapsedMs: () => elapsedMs, ...options.timers },
    telemetry: () => {},
    deliverAt: '09:00',
    ...(options.onDemand && { onDemand: true }),
    onPlanned: (earliestAt) => planned.push(earliestAt),
  }
  const far: TestFarSide = { sent: [], answer: { kind: 'delivered', statusCode: 200 } }
  const app = createApp({
    app: appDeps,
    channels: createTestChannels(appDeps, far, { sealed: true, ...options }),
    ...accessFor(appDeps, options),
    inbox:
      options.inbox === null
        ? null
        : createInbox({ capacity: 3, token: 'inbox-token', secrets: [INBOX_SECRET] }),
    audit: createAudit(appDeps),
    ...(options.web && { web: options.web }),
    ...(options.compresses && { compresses: true }),
    settings: [
      { name: 'WEBHOOK_URL', value: null, source: 'default' },
      { name: 'DELIVER_AT', value: '10:00', source: 'environment' },
      ...(options.reportTo
        ? [{ name: 'REPORT_TO', value: options.reportTo, source: 'environment' } as const]
        : []),
    ],
    version: '1.2.3',
    metrics: { contentType: 'text/plain', render: async () => 'up 1\n' },
    ready: options.ready ?? (() => store.check()),
    onError: (error) => errors.push(error),
  })

  /** Sends JSON or raw text, and checks each response against the OpenAPI document. */
  async function send(path: string, { method = 'GET', body, text, headers = {} }: Sent = {}) {
    const sent = text ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await app.request(path, {
      method,
      headers: { ...(sent === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
      ...(sent === undefined ? {} : { body: sent }),
    })
    const answer = await response.text()
    const isJson = response.headers.get('Content-Type')?.includes('json')
    const statuses = documentedStatuses(method, path)
    if (statuses !== null) expect(statuses, `${method} ${path}`).toContain(String(response.status))
    return {
      status: response.status,
      headers: response.headers,
      text: answer,
      json: isJson ? (JSON.parse(answer) as Json) : null,
    }
  }

  // From the registered operations: the document that is made of them takes 60 ms of CPU time, and most tests make an app.
  const operations = app.openAPIRegistry.definitions.flatMap((one) =>
    one.type === 'route' ? [one.route] : [],
  )
  function documentedStatuses(method: string, url: string): string[] | null {
    const path = url.split('?')[0]!
    const ofMethod = operations.filter((one) => one.method === method.toLowerCase())
    const operation =
      ofMethod.find((one) => one.path === path) ??
      ofMethod.find((one) => new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path))
    return operation === undefined ? null : Object.keys(operation.responses)
  }

  return {
    app,
    store,
    errors,
    planned,
    far,
    send,
    post: (path: string, body: unknown, headers?: Record<string, string>) =>
      send(path, { method: 'POST', body, ...(headers && { headers }) }),
    put: (path: string, body: unknown, headers?: Record<string, string>) =>
      send(path, { method: 'PUT', body, ...(headers && { headers }) }),
    setClock: (iso: string) => {
      elapsedMs += Math.abs(Date.parse(iso) - now)
      now = Date.parse(iso)
    },
  }
}

export type TestApp = ReturnType<typeof createTestApp>

/** An app with a key of scope admin: ENVIRONMENT_KEY. */
export function createKeyedApp(options: Parameters<typeof createTestApp>[0] = {}): TestApp {
  return createTestApp({ environmentKey: ENVIRONMENT_KEY, ...options })
}
