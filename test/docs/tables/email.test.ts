// The tables of docs/email.md: defaults of the settings, and the effect of each result.
import { describe, expect, it } from 'vitest'
import type { Dial, Guard } from '../../../src/channels/dial/dial.ts'
import { createFetchDial } from '../../../src/channels/dial/fetch-dial.ts'
import { resend } from '../../../src/channels/email/resend.ts'
import { readFailure } from '../../../src/channels/email/smtp-reply.ts'
import { createChannelFactory } from '../../../src/channels/factory.ts'
import { createVault } from '../../../src/runtimes/config/vault.ts'
import { createTestApp } from '../../http/support/test-app.ts'
import { createTestClock, T0 } from '../../support/fixtures.ts'
import { rowsOf, spansOf } from '../support/tables.ts'

const KEY = 'a-key-of-the-environment'
const ADMIN = { Authorization: `Bearer ${KEY}` }

describe('the settings of an e-mail channel in docs/email.md', () => {
  const rows = rowsOf('docs/email.md', 'setting', 'kind', 'default').map(([name, kind, standard]) => ({
    name: spansOf(name!)[0]!,
    kinds: kind === 'both' ? ['smtp', 'resend'] : spansOf(kind!),
    standard: standard!,
  }))

  async function create(body: object) {
    const { post } = createTestApp({ environmentKey: KEY })
    const { status, json } = await post(
      '/channel',
      { name: 'mail', from: 'hello@example.com', ...body },
      ADMIN,
    )
    expect([status, json]).toEqual([201, json])
    return json.channel
  }

  it.each([
    ['smtp', { server: 'smtps://mail.example.com' }],
    ['resend', { apiKey: 're_123456789' }],
  ])('%s has the defaults that the page says', async (kind, secret) => {
    const channel = await create({ kind, ...secret })
    for (const { name, kinds, standard } of rows.filter(({ name }) => name !== 'from')) {
      if (!kinds.includes(kind)) expect([name, channel[name]]).toEqual([name, undefined])
      else
        expect([name, String(channel[name])]).toEqual([
          name,
          spansOf(standard)[0] === undefined || standard.includes('`smtp`') ? 'null' : spansOf(standard)[0],
        ])
    }
  })

  it('smtp has as many connections as the page says', () => {
    const opened: number[] = []
    const vault = createVault([Buffer.alloc(32, 7)])
    const channel = {
      deliver: async () => ({ kind: 'delivered', statusCode: null }) as const,
      close: async () => {},
    }
    const smtp = (_: Dial, { connections }: { connections: number }) => {
      opened.push(connections)
      return channel
    }
    const dial = (guard: Guard) => createFetchDial(fetch, guard)
    const factory = createChannelFactory(
      { clock: createTestClock(T0), vault, adapters: { dial, webhook: () => channel, smtp } },
      { webhookTimeoutMs: 1, emailTimeoutMs: 1, targets: 'public', webhookSecrets: [] },
    )
    factory.open({
      id: 'mail',
      name: 'mail',
      settings: {
        kind: 'smtp',
        from: 'hello@example.com',
        replyTo: null,
        listUnsubscribe: null,
        perSecond: null,
        concurrency: null,
      },
      secrets: [{ sealed: vault.seal('smtp://mail.example.com', 'mail'), createdAt: T0, expiresAt: null }],
      status: 'ACTIVE',
      isDefault: false,
      createdAt: T0,
      updatedAt: T0,
      version: 1,
    } as unknown as Parameters<typeof factory.open>[0])
    const [, shown] = /^(\d+) connections for `smtp`/.exec(
      rows.find(({ name }) => name === 'concurrency')!.standard,
    )!
    expect(opened).toEqual([Number(shown)])
  })
})

describe('the results in docs/email.md', () => {
  const rows = rowsOf('docs/email.md', 'result', 'effect')
  const effectOf = (result: string) => rows.find(([cell]) => cell!.startsWith(result))![1]!
  const { read } = resend({ baseUrl: '', apiKey: '' })
  const kindOf = (statusCode: number) => read({ statusCode, retryAfterMs: null, text: '' }).kind

  it('of a mail server: 4xx is retried; 5xx fails the mail, but not before the sender was named', () => {
    for (const command of ['MAIL FROM', 'RCPT TO', 'DATA']) {
      expect(readFailure({ responseCode: 451, command }).kind).toBe('transient')
      expect(readFailure({ responseCode: 550, command }).kind).toBe('permanent')
    }
    expect(readFailure({ responseCode: 554, command: 'CONN' }).kind).toBe('transient')
    expect(effectOf('the server replies with 4xx')).toBe('retried')
    expect(effectOf('the server replies with 5xx to the sender')).toBe('`FAILED`')
    expect(effectOf('the server replies with 5xx before that')).toMatch(/^retried/)
  })

  it('of Resend: each registered status has its effect', () => {
    expect(effectOf('Resend responds with any other 4xx')).toBe('`FAILED`')
    for (const status of [200, 201, 202]) expect(kindOf(status)).toBe('delivered')
    for (const status of [301, 302, 307, 308, 400, 404, 405, 409, 413, 422, 451])
      expect([status, kindOf(status)]).toEqual([status, 'permanent'])
    for (const status of [401, 403, 408, 425, 429, 500, 502, 503, 504, 529])
      expect([status, kindOf(status)]).toEqual([status, 'transient'])
  })
})
