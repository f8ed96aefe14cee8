// The tables of the page on embedding: what becomes of an event, and how the dashboard is mounted.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import fastify from 'fastify'
import { Hono } from 'hono'
import { afterEach, describe, expect, it } from 'vitest'
import { createTerce, type Handler, PermanentError } from '../../../src/library/index.ts'
import { createTestTerce } from '../../../src/library/testing/testing.ts'
import { until } from '../../support/until.ts'
import { rowsOf, spansOf } from '../support/tables.ts'

/** Express has no types of its own. */
const express = createRequire(import.meta.url)('express') as () => RequestListener

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const ADA = { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1990-12-15', timezone: 'Europe/London' }

/** By the first cell of its row: a handler. */
const HANDLERS: Record<string, Handler<unknown>> = {
  resolves: () => {},
  rejects: async () => {
    throw new Error('Out of vouchers.')
  },
  'rejects with `PermanentError`': async () => {
    throw new PermanentError('Not a member.')
  },
  'takes longer than `handlerTimeoutMs`, 30,000 unless given': (_, { signal }) =>
    new Promise((resolve) => signal.addEventListener('abort', resolve)),
}

/** The final status of the event of a person whose birthday is today, and its attempts. In real time, as handlers take it. */
async function outcomeOf(handler: Handler<unknown>): Promise<{ status: string; attempts: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'terce-handlers-'))
  cleanups.push(() => rmSync(folder, { recursive: true }))
  const settings = { RETRY: '10ms', DELIVER_AT: '00:00', LOG_LEVEL: 'silent' }
  const terce = createTerce<unknown>({ database: join(folder, 'app.db'), handlerTimeoutMs: 50, settings })
  cleanups.push(() => terce.stop())
  let attempts = 0
  terce.on('BIRTHDAY', (event, context) => {
    attempts += 1
    return handler(event, context)
  })
  await terce.start()
  const dateOfBirth = `1992-${new Date().toISOString().slice(5, 10)}`
  const { user } = await terce.users.create({ ...ADA, dateOfBirth, timezone: 'UTC', sendTodayNow: true })
  const first = async () => (await terce.events.ofUser(user.id).next()).value!.status
  const status = await until('an outcome', first, (seen) => /COMPLETED|FAILED/.test(seen))
  return { status, attempts }
}

describe('the table of handlers', () => {
  const rows = rowsOf('docs/embed.md', 'a handler', 'the event')

  it('has a row for each case', () => {
    expect(rows.map(([cell]) => cell)).toEqual(Object.keys(HANDLERS))
  })

  it.each(rows)('says what becomes of the event if a handler %s', async (cell, text) => {
    const { status, attempts } = await outcomeOf(HANDLERS[cell!]!)
    expect(status).toBe(spansOf(text!).find((span) => /COMPLETED|FAILED/.test(span)) ?? 'FAILED')
    expect(attempts > 1).toBe(/tried again/.test(text!))
  })
})

/** By the framework: an application without routes, and how it is served. */
const FRAMEWORKS: Record<string, () => { app: object; start: () => Server | Promise<Server> }> = {
  Hono: () => {
    const app = new Hono()
    return { app, start: () => serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server }
  },
  Express: () => {
    const app = express()
    return { app, start: () => createServer(app).listen(0, '127.0.0.1') }
  },
  Fastify: () => {
    const app = fastify()
    cleanups.push(() => app.close())
    return {
      app,
      start: async () => {
        await app.listen({ port: 0, host: '127.0.0.1' })
        return app.server
      },
    }
  },
}

describe('the table of frameworks', () => {
  const rows = rowsOf('docs/embed.md', 'framework', 'mounted by')

  it('has a row for each framework that is tested', () => {
    expect(rows.map(([name]) => name)).toEqual(Object.keys(FRAMEWORKS))
  })

  it.each(rows)('mounts the API and the dashboard in %s', async (name, cell) => {
    const terce = await createTestTerce({
      basePath: '/admin/terce',
      authenticate: () => ({ name: 'owner', scope: 'admin' }),
    })
    cleanups.push(() => terce.stop())
    const { app, start } = FRAMEWORKS[name!]!()
    new Function('app', 'terce', spansOf(cell!)[0]!)(app, terce)
    const server = await start()
    cleanups.push(() => new Promise((resolve) => server.close(resolve)))
    if (!server.listening) await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/admin/terce`
    const headers = { 'Content-Type': 'application/json' }
    const created = await fetch(`${url}/user`, { method: 'POST', headers, body: JSON.stringify(ADA) })
    expect(created.status).toBe(201)
    expect(await (await fetch(`${url}/app/`)).text()).toContain('<title>Terce')
  })
})
