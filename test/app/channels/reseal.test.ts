// Stored secrets are encrypted again under the current key: every one that needs it, once, and never half of them.
import { beforeEach, describe, expect, it } from 'vitest'
import { resealSecrets } from '../../../src/app/channels/reseal.ts'
import {
  type ChannelRecord,
  type ChannelSettings,
  ENVIRONMENT_CHANNEL,
  placeOfSecrets,
} from '../../../src/domain/settings/channel.ts'
import type { Store } from '../../../src/ports/store.ts'
import { createVault } from '../../../src/runtimes/config/vault.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { createTestClock, T0 } from '../../support/fixtures.ts'

const OLD = Buffer.alloc(32, 7)
const NEW = Buffer.alloc(32, 8)
const before = createVault([OLD])
const rotating = createVault([NEW, OLD])
const after = createVault([NEW])

const LIMITS = { perSecond: null, concurrency: null }
const WEBHOOK: ChannelSettings = { kind: 'webhook', url: 'https://example.com/', ...LIMITS }
const RESEND: ChannelSettings = {
  kind: 'resend',
  baseUrl: 'https://api.resend.com',
  from: 'hello@example.com',
  replyTo: null,
  listUnsubscribe: null,
  ...LIMITS,
}

const clock = createTestClock(T0)
let store: Store
beforeEach(() => {
  store = openSqliteStore(':memory:')
})

async function save(
  name: string,
  settings: ChannelSettings,
  sealed: string,
  expiresAt: number | null = null,
) {
  const channel: ChannelRecord = {
    id: name,
    name,
    settings,
    secrets: [{ sealed, createdAt: T0, expiresAt }],
    defaultSince: null,
    status: 'ACTIVE',
    statusReason: null,
    version: 1,
    createdAt: T0,
    updatedAt: T0,
  }
  await store.saveChannel(channel)
}

const reseal = (vault = rotating, dryRun = false) => resealSecrets({ store, clock, vault }, { dryRun })

async function secretsOf(name: string, vault = after): Promise<string[]> {
  const channel = (await store.listChannels()).find((one) => one.name === name)!
  return channel.secrets.map(({ sealed }) => vault.open(sealed, placeOfSecrets(channel)))
}

describe('resealing', () => {
  it('lets the new key alone open every secret, and changes nothing the second time', async () => {
    await save('crm', WEBHOOK, before.seal('whsec_1', 'crm'))
    await save('mail', RESEND, before.seal('re_1', 'mail https://api.resend.com'))
    await save('new', WEBHOOK, after.seal('whsec_2', 'new'))
    expect(await reseal()).toEqual({ resealed: 2, current: 1, unreadable: [] })
    expect(await secretsOf('crm')).toEqual(['whsec_1'])
    expect(await secretsOf('mail')).toEqual(['re_1'])
    const once = await store.listChannels()
    const versions = Object.fromEntries(once.map(({ name, version }) => [name, version]))
    expect(versions).toEqual({ crm: 2, mail: 2, new: 1 })
    expect(await reseal()).toEqual({ resealed: 0, current: 3, unreadable: [] })
    expect(await store.listChannels()).toEqual(once)
  })

  it('changes nothing in a dry run, and counts the same', async () => {
    await save('crm', WEBHOOK, before.seal('whsec_1', 'crm'))
    const untouched = await store.listChannels()
    expect(await reseal(rotating, true)).toEqual({ resealed: 1, current: 0, unreadable: [] })
    expect(await store.listChannels()).toEqual(untouched)
  })

  it('names a channel whose secret no key opens, and goes on with the others', async () => {
    await save('lost', WEBHOOK, createVault([Buffer.alloc(32, 9)]).seal('whsec_1', 'lost'))
    await save('moved', WEBHOOK, before.seal('whsec_1', 'crm'))
    await save('crm', WEBHOOK, before.seal('whsec_1', 'crm'))
    expect(await reseal()).toEqual({
      resealed: 1,
      current: 0,
      unreadable: [
        { channel: 'lost', reason: expect.stringContaining('another TERCE_SECRET_KEY') },
        { channel: 'moved', reason: expect.stringContaining('belongs to another channel') },
      ],
    })
  })

  it('leaves the channel of WEBHOOK_URL and expired secrets alone', async () => {
    await save(ENVIRONMENT_CHANNEL, WEBHOOK, 'sha256:0123')
    await save('expired', WEBHOOK, 'v2.00000000.x.y', T0 - 1)
    expect(await reseal()).toEqual({ resealed: 0, current: 0, unreadable: [] })
  })

  it('keeps a change that another process makes meanwhile', async () => {
    await save('crm', WEBHOOK, before.seal('whsec_1', 'crm'))
    const { listChannels } = store
    let reads = 0
    const racing: Store = {
      ...store,
      async listChannels() {
        const channels = await listChannels()
        // After the first read of this channel, and before it is saved.
        if (++reads === 2) await store.saveChannel({ ...channels[0]!, status: 'HELD', version: 2 })
        return channels
      },
    }
    await resealSecrets({ store: racing, clock, vault: rotating }, { dryRun: false })
    expect(await listChannels()).toMatchObject([{ status: 'HELD', version: 3 }])
    expect(await secretsOf('crm')).toEqual(['whsec_1'])
  })
})
