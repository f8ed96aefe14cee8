// Connections to private addresses are never opened, even under DNS rebinding.
import type { LookupAddress } from 'node:dns'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Guard } from '../../../src/channels/dial/dial.ts'
import { createNodeDial, guardedLookup, type Resolve } from '../../../src/channels/dial/node-dial.ts'
import { createWebhook } from '../../../src/channels/webhook/webhook.ts'
import type { DeliveryResult } from '../../../src/ports/channel.ts'
import { createTestClock, delivery, never } from '../webhook/support/fixtures.ts'

// The trap listens on a private address and counts connections: there must be none.
let trap: Server
let port: number
let caught: number

beforeEach(async () => {
  caught = 0
  trap = createServer((socket) => {
    caught += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve))
  port = (trap.address() as AddressInfo).port
})

afterEach(() => new Promise((resolve) => trap.close(resolve)))

const v4 = (address: string): LookupAddress => ({ address, family: 4 })
const v6 = (address: string): LookupAddress => ({ address, family: 6 })

async function deliver(url: string, guard: Guard, resolve: Resolve): Promise<DeliveryResult> {
  const settings = { url, timeoutMs: 5_000, connections: 2, secrets: [] }
  const channel = createWebhook({ clock: createTestClock(), dial: createNodeDial(guard, resolve) }, settings)
  try {
    return await channel.deliver(delivery, never)
  } finally {
    await channel.close()
  }
}

const unreachable: Resolve = () => Promise.reject(new Error('an address needs no lookup'))

describe('a webhook restricted to public addresses', () => {
  it.each([
    ['loopback', [v4('127.0.0.1')]],
    ['a private address', [v4('10.1.2.3')]],
    ['the metadata of a cloud', [v4('169.254.169.254')]],
    ['loopback in IPv6', [v6('::1')]],
    ['loopback mapped to IPv6', [v6('::ffff:127.0.0.1')]],
    ['loopback behind NAT64', [v6('64:ff9b::7f00:1')]],
    ['an address with a zone', [v6('fe80::1%lo')]],
    ['a public and a private address', [v4('192.0.43.8'), v4('127.0.0.1')]],
    ['a private and a public address', [v4('127.0.0.1'), v4('192.0.43.8')]],
    ['a public address and a private one in IPv6', [v4('192.0.43.8'), v6('::1')]],
  ])('reports a transient error for a name that resolves to %s', async (_, addresses) => {
    for (const scheme of ['http', 'https']) {
      const result = await deliver(`${scheme}://hook.example:${port}/`, 'public', async () => addresses)
      expect(result).toMatchObject({ kind: 'transient', statusCode: null })
      expect(result).toHaveProperty(
        'error',
        expect.stringMatching(/^FORBIDDEN_TARGET: the target resolves to an? /),
      )
    }
    expect(caught).toBe(0)
  })

  it.each([
    ['any', '127.0.0.1', unreachable],
    ['loopback', '127.0.0.1', unreachable],
    ['loopback', 'localhost', async () => [v4('127.0.0.1')]],
  ] as const)('connects with the guard %s to %s', async (guard, host, resolve) => {
    const result = await deliver(`http://${host}:${port}/`, guard, resolve)
    expect(result).toMatchObject({ kind: 'transient', error: expect.stringMatching(/^CONNECTION/) })
    expect(caught).toBe(1)
  })

  it.each([
    ['hook.example', '127.0.0.1'],
    ['localhost', '10.1.2.3'],
    ['localhost', '192.0.43.8'],
  ])('does not connect with the guard loopback to %s as %s', async (host, address) => {
    const result = await deliver(`http://${host}:${port}/`, 'loopback', async () => [v4(address)])
    expect(result).toMatchObject({ error: expect.stringMatching(/^FORBIDDEN_TARGET: the target resolves/) })
    expect(caught).toBe(0)
  })

  it('reports a transient error if a name cannot be resolved', async () => {
    const lost = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
    expect(await deliver('http://hook.example/', 'public', () => Promise.reject(lost))).toEqual({
      kind: 'transient',
      error: 'CONNECTION: ENOTFOUND',
      statusCode: null,
    })
  })
})

describe('a name that resolves to another address later (DNS rebinding)', () => {
  /** Resolves to a public address the first time, and to a private one after that. */
  function rebinding() {
    let asked = 0
    const resolve: Resolve = async () => {
      asked += 1
      return asked === 1 ? [v4('192.0.43.8')] : [v4('127.0.0.1')]
    }
    return { resolve, asked: () => asked }
  }

  /** Looks up as a socket does. */
  function lookup(resolve: Resolve, all: boolean): Promise<unknown> {
    return new Promise((done, fail) => {
      guardedLookup('public', resolve)('hook.example', { all }, (error, address) =>
        error ? fail(error) : done(address),
      )
    })
  }

  it.each([
    [true, [v4('192.0.43.8')]],
    [false, '192.0.43.8'],
  ])(
    'is resolved once, and the address that was checked is the one that is dialled (all: %s)',
    async (all, expected) => {
      const name = rebinding()
      expect(await lookup(name.resolve, all)).toEqual(expected)
      expect(name.asked()).toBe(1)
    },
  )

  it('is rejected by the next connection', async () => {
    const name = rebinding()
    await lookup(name.resolve, true)
    const result = await deliver(`http://hook.example:${port}/`, 'public', name.resolve)
    expect(result).toMatchObject({ error: 'FORBIDDEN_TARGET: the target resolves to a loopback address' })
    expect(caught).toBe(0)
  })

  it('fails like an unknown name while it has no address at all', async () => {
    for (const all of [true, false])
      await expect(lookup(async () => [], all)).rejects.toMatchObject({ code: 'ENOTFOUND' })
    const result = await deliver(`http://hook.example:${port}/`, 'public', async () => [])
    expect(result).toMatchObject({ kind: 'transient', error: 'CONNECTION: ENOTFOUND' })
  })

  it('is accepted again when it resolves to a public address', async () => {
    const lookups = [[v4('127.0.0.1')], [v4('192.0.43.8')]]
    const resolve: Resolve = async () => lookups.shift()!
    await expect(lookup(resolve, true)).rejects.toMatchObject({ code: 'FORBIDDEN_TARGET', forGood: false })
    expect(await lookup(resolve, true)).toEqual([v4('192.0.43.8')])
  })
})
