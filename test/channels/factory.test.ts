// Every kind of channel rejects private targets when it is saved, and connects to none when it sends.
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Dial, Guard } from '../../src/channels/dial/dial.ts'
import { createFetchDial } from '../../src/channels/dial/fetch-dial.ts'
import type { NodeDial, Resolve } from '../../src/channels/dial/node-dial.ts'
import type { SmtpServer } from '../../src/channels/email/smtp-url.ts'
import { type ChannelFactory, createChannelFactory } from '../../src/channels/factory.ts'
import type { ChannelAdapters } from '../../src/channels/kinds.ts'
import { createFetchWebhook } from '../../src/channels/webhook/fetch-webhook.ts'
import {
  CHANNEL_KINDS,
  type ChannelKind,
  type ChannelRecord,
  type ChannelSettings,
  placeOfSecrets,
} from '../../src/domain/settings/channel.ts'
import { createVault } from '../../src/runtimes/config/vault.ts'
import { nodeAdapters } from '../../src/runtimes/shared/channels.ts'
import { mailDelivery } from './email/support/fixtures.ts'
import { createTestClock, never, SECRET } from './webhook/support/fixtures.ts'

const MAIL = { from: 'hello@example.com', replyTo: null, listUnsubscribe: null }
const LIMITS = { perSecond: null, concurrency: null }

/** The settings and the secret of a channel of each kind that sends to `host`, a host with or without a port. */
const AIMED: {
  readonly [K in ChannelKind]: (host: string) => { settings: ChannelSettings & { kind: K }; secret: string }
} = {
  webhook: (host) => ({
    settings: { kind: 'webhook', url: `https://${host}/hook`, ...LIMITS },
    secret: SECRET,
  }),
  smtp: (host) => ({
    settings: { kind: 'smtp', ...MAIL, ...LIMITS },
    secret: `smtps://ada:pw@${host}`,
  }),
  resend: (host) => ({
    settings: { kind: 'resend', baseUrl: `https://${host}`, ...MAIL, ...LIMITS },
    secret: 're_123456789',
  }),
}

/** Private hosts in spellings that only the URL parser of the web normalises. */
const PRIVATE = [
  '127.0.0.1',
  '2130706433',
  '0x7f.1',
  '１２７.０.０.１',
  '[::1]',
  '[::ffff:127.0.0.1]',
  'localhost',
  'LOCALHOST.',
  'loc%61lhost',
  '169.254.169.254',
  '10.0.0.1',
  'db.internal',
  'redis',
]

const PUBLIC = { address: '192.0.43.8', family: 4 }

const vault = createVault([Buffer.alloc(32, 7)])
const clock = createTestClock()

// The trap listens on a private address and counts connections: there must be none.
let trap: Server
let port: number
let caught: Socket[]

beforeEach(async () => {
  caught = []
  trap = createServer((socket) => {
    caught.push(socket)
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve))
  port = (trap.address() as AddressInfo).port
})

afterEach(() => {
  for (const socket of caught) socket.destroy()
  return new Promise((resolve) => trap.close(resolve))
})

async function listen(onConnection: (socket: Socket) => void) {
  const server = createServer(onConnection)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => new Promise((resolve) => server.close(resolve))
  return { port: (server.address() as AddressInfo).port, close }
}

type How = { targets?: Guard; resolve?: Resolve }

const noLookup: Resolve = () => Promise.reject(new Error('an address needs no lookup'))

function configOf({ targets = 'public' }: How) {
  const timeouts = { webhookTimeoutMs: 1_000, emailTimeoutMs: 1_000 }
  return { ...timeouts, targets, webhookSecrets: [] }
}

function factory(how: How = {}) {
  const adapters = nodeAdapters(clock, { connections: 1, resolve: how.resolve ?? noLookup })
  return createChannelFactory({ clock, vault, adapters }, configOf(how))
}

function recordOf({ settings, secret }: { settings: ChannelSettings; secret: string }): ChannelRecord {
  const place = placeOfSecrets({ id: 'one', settings })
  return {
    id: 'one',
    name: 'one',
    settings,
    secrets: [{ sealed: vault.seal(secret, place), createdAt: 0, expiresAt: null }],
    defaultSince: null,
    status: 'ACTIVE',
    statusReason: null,
    version: 1,
    createdAt: 0,
    updatedAt: 0,
  }
}

async function send({ open }: Pick<ChannelFactory, 'open'>, aimed: Parameters<typeof recordOf>[0]) {
  const channel = open(recordOf(aimed))
  try {
    return await channel.deliver(mailDelivery(), never)
  } finally {
    await channel.close()
  }
}

describe.each(CHANNEL_KINDS)('a channel of kind %s', (kind) => {
  it.each(PRIVATE)('is not saved with the private target %s', (host) => {
    const { settings, secret } = AIMED[kind](host)
    expect(factory().parse(settings, secret)).toMatchObject({
      ok: false,
      problems: [{ code: 'FORBIDDEN_TARGET' }],
    })
  })

  it.each(PRIVATE)('connects to nothing if it was saved with the private target %s', async (host) => {
    expect(await send(factory(), AIMED[kind](`${host}:${port}`))).toMatchObject({
      kind: 'permanent',
      error: expect.stringMatching(/^FORBIDDEN_TARGET: the target is /),
    })
    expect(caught).toEqual([])
  })

  it.each([
    ['a private address', [{ address: '127.0.0.1', family: 4 }]],
    ['a public and a private address', [PUBLIC, { address: '127.0.0.1', family: 4 }]],
    ['a private address in IPv6', [{ address: '::1', family: 6 }]],
  ])('connects to nothing while the name of its target resolves to %s', async (_, addresses) => {
    const sent = send(factory({ resolve: async () => addresses }), AIMED[kind](`hook.example:${port}`))
    expect(await sent).toMatchObject({
      kind: 'transient',
      error: expect.stringMatching(/^FORBIDDEN_TARGET: the target resolves to a loopback address$/),
    })
    expect(caught).toEqual([])
  })

  it('survives a name that resolves to no address', async () => {
    const sent = send(factory({ resolve: async () => [] }), AIMED[kind]('hook.example'))
    expect(await sent).toMatchObject({ kind: 'transient', error: 'CONNECTION: ENOTFOUND' })
  })

  it('does not reveal whether a port of a private host is open, closed or silent', async () => {
    const errors = new Set<unknown>()
    const greeting = await listen((socket) => socket.write('220 mail.example ESMTP\r\n'))
    const other = await listen((socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
    const gone = await listen(() => {})
    await gone.close()
    const ports = [port, greeting.port, other.port, gone.port]
    for (const host of ['127.0.0.1', 'name.example'])
      for (const target of ports) {
        const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
        const sent = await send(factory({ resolve }), AIMED[kind](`${host}:${target}`))
        errors.add('error' in sent && sent.error.replace('resolves to', 'is'))
      }
    expect([...errors]).toEqual(['FORBIDDEN_TARGET: the target is a loopback address'])
    await Promise.all([greeting.close(), other.close()])
  })

  it.each(['any', 'loopback'] as const)('connects to loopback where the guard is %s', async (targets) => {
    const { settings, secret } = AIMED[kind](`127.0.0.1:${port}`)
    const allowing = factory({ targets })
    expect(allowing.parse(settings, secret)).toMatchObject({ ok: true })
    trap.on('connection', (socket: Socket) => socket.destroy())
    expect(await send(allowing, { settings, secret })).toMatchObject({ kind: 'transient' })
    expect(caught.length).toBeGreaterThan(0)
  })

  it('sends no request to a private host in a runtime without sockets', async () => {
    let requests = 0
    const fetch = async () => {
      requests += 1
      return new Response()
    }
    const adapters: ChannelAdapters<Dial> = {
      dial: (guard) => createFetchDial(fetch, guard),
      webhook: (dial, settings) => createFetchWebhook({ clock, dial }, settings),
      smtp: null,
    }
    const { parse, open } = createChannelFactory({ clock, vault, adapters }, configOf({}))
    for (const host of PRIVATE) {
      const aimed = AIMED[kind](host)
      expect(parse(aimed.settings, aimed.secret)).toMatchObject({ ok: false })
      if (kind === 'smtp') expect(() => open(recordOf(aimed))).toThrow('no SMTP')
      else expect(await send({ open }, aimed)).toMatchObject({ kind: 'permanent', statusCode: null })
    }
    expect(requests).toBe(0)
  })
})

describe('an SMTP server without encryption', () => {
  const aim = (secret: string, allowPlaintext?: boolean) => {
    const { settings } = AIMED.smtp('')
    return { settings: allowPlaintext === undefined ? settings : { ...settings, allowPlaintext }, secret }
  }
  const parse = (secret: string, allowPlaintext?: boolean, how?: How) => {
    const { settings } = aim(secret, allowPlaintext)
    return factory(how).parse(settings, secret)
  }

  it.each([
    'smtp://mail.example.com',
    'smtp://mail.example.com?tls=auto',
    'smtp://a:b@mail.example.com?tls=off',
  ])('is not saved as %s unless the channel allows it', (url) => {
    for (const allowPlaintext of [undefined, false])
      expect(parse(url, allowPlaintext)).toMatchObject({
        ok: false,
        problems: [
          { field: 'server', code: 'FORBIDDEN_TARGET', message: expect.stringContaining('allowPlaintext') },
        ],
      })
    expect(parse(url, true)).toMatchObject({ ok: true })
    expect(parse(url, false, { targets: 'any' })).toMatchObject({ ok: true })
    expect(parse(url, false, { targets: 'loopback' })).toMatchObject({ ok: false })
  })

  it.each(['smtps://mail.example.com', 'smtp://a:b@mail.example.com', 'smtp://mail.example.com?tls=require'])(
    'is no concern of %s, which is encrypted',
    (url) => expect(parse(url)).toMatchObject({ ok: true }),
  )

  it('stays private if the channel allows plain text', () => {
    expect(parse('smtp://127.0.0.1:25?tls=off', true)).toMatchObject({ ok: false })
  })

  it('is encrypted or not used if it was saved without this check', () => {
    const servers: SmtpServer[] = []
    const adapters: ChannelAdapters<NodeDial> = {
      ...nodeAdapters(clock, { connections: 1 }),
      smtp: (_, { server }) => {
        servers.push(server)
        return { deliver: never as never, close: async () => {} }
      },
    }
    const { open } = createChannelFactory({ clock, vault, adapters }, configOf({}))
    open(recordOf(aim('smtp://mail.example.com')))
    open(recordOf(aim('smtp://mail.example.com', true)))
    expect(servers.map(({ tls }) => tls)).toEqual(['require', 'auto'])
    expect(() => open(recordOf(aim('smtp://mail.example.com?tls=off')))).toThrow('allowPlaintext')
  })
})
