// Channels over the API: create, change, delete, rotate, test, hold, release, disable. A generated secret is returned once.
import { describe, expect, it } from 'vitest'
import { keepEnvironmentChannel } from '../../../src/app/channels/environment-channel.ts'
import { composeMail } from '../../../src/channels/email/mail.ts'
import { parseMailSender } from '../../../src/channels/email/mail-sender.ts'
import { writeMime } from '../../../src/channels/email/mime.ts'
import { ENVIRONMENT_CHANNEL, HANDLER_CHANNEL, INBOX_CHANNEL } from '../../../src/domain/settings/channel.ts'
import type { Store } from '../../../src/ports/store.ts'
import { clockAt } from '../../support/fixtures.ts'
import { ADMIN } from '../support/test-access.ts'
import { ADA, createKeyedApp, createTestApp, type Json, NO_ONE } from '../support/test-app.ts'

const HOOK = { kind: 'webhook', name: 'crm', url: 'https://example.com/hook' }
const SMTP = {
  kind: 'smtp',
  name: 'mail',
  server: 'smtps://ada:s3cret-word@mail.example.com',
  from: 'Terce <hello@example.com>',
}
const RESEND = { kind: 'resend', name: 'mail', apiKey: 're_123456789', from: 'hello@example.com' }

async function withChannel(body: object = HOOK) {
  const app = createTestApp()
  const { channel, secret } = (await app.post('/channel', body)).json
  return { ...app, id: channel.id as string, secret: secret as string }
}

/** A process starts with WEBHOOK_URL. */
function keepEnvironment(store: Store, url = 'https://example.com/'): Promise<void> {
  const clock = clockAt(1)
  const deps = { store, clock, telemetry() {} }
  return keepEnvironmentChannel(deps, { url, secrets: [] })
}

describe('POST /channel', () => {
  it('creates a webhook and returns the generated secret once', async () => {
    const { post, send } = createTestApp()
    const { status, json, headers } = await post('/channel', { ...HOOK, isDefault: true, perSecond: 50 })
    expect(status).toBe(201)
    expect(json.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(headers.get('Location')).toBe(`/channel/${json.channel.id}`)
    expect(json.channel).toMatchObject({
      name: 'crm',
      kind: 'webhook',
      url: HOOK.url,
      perSecond: 50,
      concurrency: null,
      isDefault: true,
      managedByEnvironment: false,
      status: 'ACTIVE',
      secrets: [{ expiresAt: null }],
      version: 1,
    })
    const { text, json: list } = await send('/channel')
    expect(list.items).toEqual([json.channel])
    expect(text).not.toContain('whsec_')
    expect((await send(`/channel/${json.channel.id}`)).json).toEqual(json.channel)
  })

  it('stores a provided secret encrypted and never returns it', async () => {
    const { post, send, store } = createTestApp()
    const { json } = await post('/channel', SMTP)
    expect(json).toMatchObject({ secret: null, channel: { kind: 'smtp', from: SMTP.from } })
    expect((await send('/channel')).text).not.toContain('s3cret')
    expect(JSON.stringify(await store.listChannels())).not.toContain('s3cret')
  })

  it.each([
    [{ ...HOOK, url: 'https://169.254.169.254/latest' }, 'url', 'FORBIDDEN_TARGET'],
    [{ ...HOOK, url: 'example.com/hook' }, 'url', 'INVALID_URL'],
    [{ ...HOOK, url: 'ftp://example.com/hook' }, 'url', 'INVALID_URL'],
    [{ ...HOOK, secret: 'whsec_short' }, 'secret', 'INVALID_SECRET'],
    [{ ...HOOK, secret: `whsec_${'A'.repeat(32)}` }, 'secret', 'INVALID_SECRET'],
    [{ ...HOOK, name: 'Not OK' }, 'name', 'INVALID_VALUE'],
    [{ ...HOOK, perSecond: 0 }, 'perSecond', 'INVALID_VALUE'],
    [{ ...HOOK, from: 'a@example.com' }, 'from', 'UNKNOWN_FIELD'],
    [{ ...SMTP, server: 'https://example.com' }, 'server', 'INVALID_SECRET'],
    [{ ...SMTP, from: 'nobody' }, 'from', 'INVALID_EMAIL'],
    [{ ...SMTP, server: 'smtp://mail.example.com:25?tls=off' }, 'server', 'FORBIDDEN_TARGET'],
  ])('rejects %j and stores nothing', async (body, field, code) => {
    const { post, store } = createTestApp()
    const { status, json } = await post('/channel', body)
    expect(status).toBe(400)
    expect(json.problems).toEqual([expect.objectContaining({ field, code })])
    expect(await store.listChannels()).toEqual([])
  })

  it('stores the URL of a webhook and of a mail API as it is dialled', async () => {
    const { post, put } = createTestApp()
    const url = 'https://EXA\nmple.com:443/a/../hook?x=1#part'
    const { id, ...channel } = (await post('/channel', { ...HOOK, url })).json.channel
    expect(channel.url).toBe('https://example.com/hook?x=1')
    expect((await put(`/channel/${id}`, { url: 'https://bücher.example' })).json.url).toBe(
      'https://xn--bcher-kva.example/',
    )
    const { json } = await post('/channel', { ...RESEND, baseUrl: 'https://API.example.com:443/v1//#x' })
    expect(json.channel.baseUrl).toBe('https://api.example.com/v1')
  })

  it('rejects a duplicate name, and any channel while there is no key for secrets', async () => {
    const { post } = createTestApp()
    await post('/channel', HOOK)
    expect((await post('/channel', HOOK)).json.code).toBe('CHANNEL_NAME_TAKEN')
    const keyless = createTestApp({ sealed: false })
    const empty = { items: [], canStoreSecrets: false, allowedTargets: 'public' }
    expect((await keyless.send('/channel')).json).toEqual(empty)
    const { json } = await keyless.post('/channel', HOOK)
    expect([json.code, json.detail]).toEqual([
      'SECRET_KEY_MISSING',
      expect.stringContaining('TERCE_SECRET_KEY'),
    ])
  })
})

it('saves a target on this machine only while no key exists: a caller with a key may be behind a proxy', async () => {
  const url = 'http://127.0.0.1:8080/'
  const { post, send, store } = createTestApp({ targets: 'loopback' })
  expect((await send('/channel')).json.allowedTargets).toBe('loopback')
  const { id } = (await post('/channel', { ...HOOK, url })).json.channel
  const keyed = createKeyedApp({ targets: 'loopback', store })
  expect((await keyed.send('/channel', { headers: ADMIN })).json.allowedTargets).toBe('public')
  const forbidden = { status: 400, json: { problems: [{ code: 'FORBIDDEN_TARGET' }] } }
  expect(await keyed.post('/channel', { ...HOOK, name: 'other', url }, ADMIN)).toMatchObject(forbidden)
  expect(await keyed.put(`/channel/${id}`, { url }, ADMIN)).toMatchObject(forbidden)
  expect(await keyed.put(`/channel/${id}`, { perSecond: 5 }, ADMIN)).toMatchObject({ status: 200 })
  expect(await keyed.post(`/channel/${id}/rotate`, {}, ADMIN)).toMatchObject({ status: 200 })
})

describe('PUT /channel/:id', () => {
  it('changes the given fields, only if If-Match names the current version', async () => {
    const { put, id } = await withChannel()
    const change = { url: 'https://example.org/', concurrency: 3 }
    const changed = await put(`/channel/${id}`, change, { 'If-Match': '"v1"' })
    expect(changed.json).toMatchObject({ ...change, name: 'crm', version: 2 })
    expect(changed.headers.get('ETag')).toBe('"v2"')
    const old = await put(`/channel/${id}`, { concurrency: 4 }, { 'If-Match': '"v1"' })
    expect(old.json.code).toBe('OUTDATED')
  })

  it('moves the default to another channel', async () => {
    const { post, put, send, setClock } = createTestApp()
    const first = (await post('/channel', { ...HOOK, isDefault: true })).json.channel
    const second = (await post('/channel', { ...HOOK, name: 'other' })).json.channel
    setClock('2026-11-15T05:00:00Z')
    await put(`/channel/${second.id}`, { isDefault: true })
    const { items } = (await send('/channel')).json
    expect([first.isDefault, ...items.map((one: Json) => one.isDefault)]).toEqual([true, false, true])
    // Back to the one before, and then to the inbox.
    expect((await put(`/channel/${second.id}`, { isDefault: false })).json.isDefault).toBe(false)
    expect((await send(`/channel/${first.id}`)).json.isDefault).toBe(true)
    await put(`/channel/${first.id}`, { isDefault: false })
    expect((await send(`/channel/${first.id}`, { method: 'DELETE' })).status).toBe(204)
  })

  it('makes the channel of WEBHOOK_URL the default again, and changes nothing else of it', async () => {
    const { post, put, store, setClock } = createTestApp()
    await keepEnvironment(store)
    await post('/channel', { ...HOOK, isDefault: true })
    setClock('2026-11-15T05:00:00Z')
    const path = `/channel/${ENVIRONMENT_CHANNEL}`
    expect((await put(path, { isDefault: true })).json).toMatchObject({ isDefault: true })
    for (const more of [{ name: 'mine' }, { isDefault: true, url: 'https://example.org/' }])
      expect((await put(path, more)).json.code).toBe('CHANNEL_MANAGED')
    await keepEnvironment(store)
    expect((await store.listChannels())[0]!.defaultSince).toBe(Date.parse('2026-11-15T05:00:00Z'))
  })

  it('sets limits of the channel of WEBHOOK_URL, whose host may be private, and restarts keep them', async () => {
    const { put, store } = createTestApp()
    await keepEnvironment(store, 'http://10.0.0.1/hook')
    const path = `/channel/${ENVIRONMENT_CHANNEL}`
    const limits = { perSecond: 10, concurrency: 2 }
    expect((await put(path, limits)).json).toMatchObject({ url: 'http://10.0.0.1/hook', ...limits })
    expect((await put(path, { perSecond: 0 })).json.code).toBe('INVALID_INPUT')
    await keepEnvironment(store, 'http://10.0.0.2/hook')
    expect((await store.listChannels())[0]!.settings).toMatchObject({
      url: 'http://10.0.0.2/hook',
      ...limits,
    })
    expect((await put(path, { concurrency: null })).json).toMatchObject({ perSecond: 10, concurrency: null })
  })

  it('rejects a private address, a field of another kind, and an unknown channel', async () => {
    const { put, id } = await withChannel()
    for (const [change, code] of [
      [{ url: 'https://10.0.0.1/' }, 'FORBIDDEN_TARGET'],
      [{ from: 'a@example.com' }, 'UNKNOWN_FIELD'],
      [{ apiKey: 're_1' }, 'UNKNOWN_FIELD'],
      [{ allowPlaintext: true }, 'UNKNOWN_FIELD'],
    ] as const)
      expect((await put(`/channel/${id}`, change)).json.problems).toMatchObject([{ code }])
    expect((await put(`/channel/${NO_ONE}`, {})).json.code).toBe('CHANNEL_NOT_FOUND')
  })
})

describe('DELETE /channel/:id', () => {
  it('rejects the default channel and one that an occasion names, until nothing names it', async () => {
    const { post, put, send } = createTestApp()
    const { id } = (await post('/channel', { ...HOOK, isDefault: true })).json.channel
    const { user } = (await post('/user', ADA)).json
    const payDay = { type: 'PAY_DAY', date: '2026-01-31', channel: id }
    const occasion = (await post(`/user/${user.id}/occasion`, payDay)).json
    const remove = () => send(`/channel/${id}`, { method: 'DELETE' })
    const isDefault =
      'It is the default channel. Set isDefault to false first, or make another channel the default.'
    expect((await remove()).json).toMatchObject({ status: 409, code: 'CHANNEL_IN_USE', detail: isDefault })
    await put(`/channel/${id}`, { isDefault: false })
    expect((await remove()).json).toMatchObject({ status: 409, code: 'CHANNEL_IN_USE' })
    await put(`/occasion/${occasion.id}`, { channel: null })
    expect((await remove()).status).toBe(204)
    expect((await remove()).json.code).toBe('CHANNEL_NOT_FOUND')
    expect((await send('/channel')).json.items).toEqual([])
  })

  it('rejects the channel of WEBHOOK_URL', async () => {
    const { send, store } = createTestApp()
    await keepEnvironment(store)
    const { json } = await send(`/channel/${ENVIRONMENT_CHANNEL}`, { method: 'DELETE' })
    expect(json.code).toBe('CHANNEL_MANAGED')
  })
})

describe('POST /channel/:id/rotate', () => {
  it('generates a webhook secret, and keeps the previous one active for a day', async () => {
    const { post, send, setClock, id, secret } = await withChannel()
    const rotated = (await post(`/channel/${id}/rotate`, undefined)).json
    expect(rotated.secret).toMatch(/^whsec_/)
    expect(rotated.secret).not.toBe(secret)
    expect(rotated.channel.secrets.map(({ expiresAt }: { expiresAt: string | null }) => expiresAt)).toEqual([
      null,
      '2026-11-16T04:00:00.000Z',
    ])
    setClock('2026-11-16T04:00:00Z')
    expect((await send(`/channel/${id}`)).json.secrets).toHaveLength(1)
  })

  it('replaces an SMTP password without an overlap', async () => {
    const { post, id } = await withChannel(SMTP)
    const { json } = await post(`/channel/${id}/rotate`, { secret: 'smtps://ada:other@mail.example.com' })
    expect(json).toMatchObject({ secret: null, channel: { secrets: [{ expiresAt: null }] } })
  })
})

describe('an SMTP channel', () => {
  it('sends without TLS only if allowPlaintext says so', async () => {
    const { post, put } = createTestApp()
    const server = 'smtp://mail.example.com:25?tls=off'
    const { status, json } = await post('/channel', { ...SMTP, server, allowPlaintext: true })
    expect([status, json.channel.allowPlaintext]).toEqual([201, true])
    const changed = await put(`/channel/${json.channel.id}`, { allowPlaintext: false })
    expect(changed.json.allowPlaintext).toBe(false)
  })

  it('keeps its server when it is rotated to a private one, or to none', async () => {
    const { post, id } = await withChannel(SMTP)
    for (const [body, code] of [
      [{ secret: 'smtps://10.0.0.1' }, 'FORBIDDEN_TARGET'],
      [{}, 'REQUIRED'],
    ] as const) {
      const { json } = await post(`/channel/${id}/rotate`, body)
      expect(json).toMatchObject({ status: 400, problems: [{ field: 'secret', code }] })
    }
  })
})

describe('POST /channel/:id/test', () => {
  it('sends one message marked as a test and returns the result', async () => {
    const { post, far, store, setClock, id } = await withChannel()
    setClock('2026-11-16T04:00:00Z')
    expect((await post(`/channel/${id}/test`, {})).json).toEqual({
      delivered: true,
      statusCode: 200,
      error: null,
      response: null,
      tookMs: 0,
    })
    expect(JSON.parse(far.sent[0]!.body)).toMatchObject({
      ...{ type: 'TEST', targetTimestampUTC: '2026-11-16T04:00:00.000Z' },
      message: expect.stringContaining('test'),
    })
    const response = { headers: {}, body: 'no such hook', shortened: false }
    far.answer = { kind: 'permanent', error: 'HTTP 404', statusCode: 404, response }
    expect((await post(`/channel/${id}/test`, {})).json).toMatchObject({
      delivered: false,
      error: 'HTTP 404',
      response: 'no such hook',
    })
    expect(far.sent[1]).toMatchObject({ keepResponses: 'all' })
    expect((await store.listEvents({ limit: 10, cursor: null })).items).toEqual([])
  })

  it('sends a mail to the sender of a mail channel', async () => {
    const { post, far, id } = await withChannel(SMTP)
    await post(`/channel/${id}/test`, {})
    const sender = parseMailSender({ from: SMTP.from, replyTo: null, listUnsubscribe: null })
    if (!sender.ok) throw new Error('The sender is invalid.')
    const composed = composeMail({ ...far.sent[0]!, attempt: 1 }, sender.value)
    if (!composed.ok) throw new Error(composed.error)
    const mail = String(await writeMime(composed.mail))
    expect(mail).toContain('To: hello@example.com')
    expect(mail.split('This is a test from Terce.')).toHaveLength(3)
  })
})

describe('POST /channel/:id/test with a secret that cannot be used', () => {
  it('responds with a problem that names the remedy, and sends nothing', async () => {
    const { post, far, store, id } = await withChannel()
    const [channel] = await store.listChannels()
    const foreign = 'v2.00000000.0OAlquJSfF1162yT.aaXZ4uNA744M4-NlRfqH0uE6Bz9oaiwL-QT25F_5'
    const other = (await post('/channel', { ...HOOK, name: 'other' })).json.channel
    const moved = (await store.listChannels()).find((one) => one.id === other.id)!.secrets[0]!.sealed
    for (const [version, [sealed, detail]] of [
      [foreign, 'another TERCE_SECRET_KEY'],
      [moved, 'belongs to another channel'],
    ].entries()) {
      const secrets = [{ ...channel!.secrets[0]!, sealed: sealed! }]
      await store.saveChannel({ ...channel!, secrets, version: version + 2 })
      const { json } = await post(`/channel/${id}/test`, {})
      const expected = { status: 409, code: 'CHANNEL_UNUSABLE', detail: expect.stringContaining(detail!) }
      expect(json).toMatchObject(expected)
    }
    expect(far.sent).toEqual([])
  })
})

describe('the API key of a mail provider', () => {
  const ELSEWHERE = { baseUrl: 'https://api.elsewhere.example' }

  async function create() {
    const app = await withChannel(RESEND)
    return { ...app, path: `/channel/${app.id}` }
  }

  it('stays with its host: another baseUrl is rejected unless the key is given again', async () => {
    const { put, post, path, send } = await create()
    for (const baseUrl of [ELSEWHERE.baseUrl, 'https://api.resend.com:8443', 'https://resend.com']) {
      const { json } = await put(path, { baseUrl, name: 'renamed' })
      expect(json).toMatchObject({ status: 400, problems: [{ field: 'apiKey', code: 'SECRET_REQUIRED' }] })
    }
    expect((await send(path)).json).toMatchObject({ baseUrl: 'https://api.resend.com', version: 1 })
    const changed = await put(path, { ...ELSEWHERE, apiKey: 're_other' })
    expect(changed.json).toMatchObject({ ...ELSEWHERE, version: 2 })
    expect((await post(`${path}/test`, {})).json).toMatchObject({ delivered: true })
  })

  it('is kept with another path of its host, and replaced if it is given', async () => {
    const { put, post, path, store } = await create()
    expect((await put(path, { baseUrl: 'https://api.resend.com/v2' })).status).toBe(200)
    const [before] = await store.listChannels()
    expect((await put(path, { apiKey: 're_other' })).status).toBe(200)
    const [after] = await store.listChannels()
    expect(after!.secrets).toHaveLength(1)
    expect(after!.secrets).not.toEqual(before!.secrets)
    expect((await post(`${path}/test`, {})).json).toMatchObject({ delivered: true })
  })

  it('does not open for a host that was changed in the database', async () => {
    const { post, path, store } = await create()
    const [channel] = await store.listChannels()
    const settings = { ...channel!.settings, ...ELSEWHERE } as NonNullable<typeof channel>['settings']
    await store.saveChannel({ ...channel!, settings, version: 2 })
    expect((await post(`${path}/test`, {})).json.code).toBe('CHANNEL_UNUSABLE')
  })
})

describe('hold, release and disable of a channel', () => {
  it('set its status with one request each', async () => {
    const { post, id } = await withChannel()
    const states = []
    for (const verb of ['hold', 'release', 'disable', 'release']) {
      const { json } = await post(`/channel/${id}/${verb}`, {})
      states.push([json.status, json.statusReason])
    }
    expect(states).toEqual([
      ['HELD', null],
      ['ACTIVE', null],
      ['DISABLED', null],
      ['ACTIVE', null],
    ])
  })

  it('has an end, and says who held it, until the end or until it is released', async () => {
    const { post, send, setClock } = createKeyedApp()
    const { id } = (await post('/channel', HOOK, ADMIN)).json.channel
    const read = async () => (await send(`/channel/${id}`, { headers: ADMIN })).json
    const until = '2026-11-15T14:00:00.000Z'
    const held = (await post(`/channel/${id}/hold`, { until: '2026-11-15T15:00:00+01:00' }, ADMIN)).json
    const expected = { status: 'HELD', statusReason: null, heldUntil: until, heldBy: 'env' }
    expect(held).toEqual({ id, name: 'crm', ...expected })
    expect(await read()).toMatchObject({ ...expected, version: 1 })
    setClock(until)
    const active = { status: 'ACTIVE', statusReason: null, heldUntil: null, heldBy: null }
    expect(await read()).toMatchObject(active)
    await post(`/channel/${id}/hold`, { until: null }, ADMIN)
    setClock('2027-11-15T14:00:00Z')
    expect(await read()).toMatchObject({ status: 'HELD', heldUntil: null, heldBy: 'env' })
    await post(`/channel/${id}/release`, {}, ADMIN)
    expect(await read()).toMatchObject(active)
  })

  it('rejects an end that has passed, is more than a year ahead, or is no instant, and stores nothing', async () => {
    const { post, store, id } = await withChannel()
    for (const until of ['2026-11-15T04:00:00Z', '2027-11-17T04:00:00Z', '14:00'])
      for (const path of [`/channel/${id}/hold`, '/channel/hold']) {
        const { json } = await post(path, { until })
        expect(json).toMatchObject({ status: 400, problems: [{ field: 'until', code: 'INVALID_INSTANT' }] })
      }
    expect(await store.listDestinations()).toEqual([])
  })

  it('holds the inbox and the handlers too, which have no settings', async () => {
    const { post, send } = createTestApp()
    for (const id of [INBOX_CHANNEL, HANDLER_CHANNEL])
      expect((await post(`/channel/${id}/hold`, {})).json).toMatchObject({ id, status: 'HELD' })
    const stopped = async () => (await send('/today')).json.stoppedChannels
    expect(await stopped(), 'nothing waits for the handlers').toMatchObject([
      { id: INBOX_CHANNEL, waiting: 0 },
    ])
    await post(`/channel/${INBOX_CHANNEL}/release`, {})
    expect(await stopped()).toEqual([])
    expect((await post('/channel/00000000-0000-7000-8000-00000000f001/hold', {})).status).toBe(404)
  })

  it('holds a channel that is created while all are held, until the same end', async () => {
    const { post } = createTestApp()
    const create = async (name: string) => (await post('/channel', { ...HOOK, name })).json.channel
    const { id } = await create('crm')
    await post('/channel/hold', { until: '2026-11-15T05:00:00Z' })
    const held = { status: 'HELD', statusReason: null, heldUntil: '2026-11-15T05:00:00.000Z' }
    expect(await create('new')).toMatchObject(held)
    await post(`/channel/${id}/release`, {})
    expect(await create('newer'), 'not all are held').toMatchObject({ status: 'ACTIVE' })
  })

  it('holds all channels at once, except disabled ones, and ends only such holds', async () => {
    const { post, store } = createTestApp()
    const create = async (name: string) => (await post('/channel', { ...HOOK, name })).json.channel.id
    const [off, denied, crm] = [await create('off'), await create('denied'), await create('crm')]
    await post(`/channel/${off}/disable`, {})
    await store.setChannelStatus({ id: denied, from: 'ACTIVE', to: 'HELD', reason: 'HTTP 401', at: 1 })
    const statuses = async (path: string, body = {}) =>
      Object.fromEntries(
        (await post(path, body)).json.items.map(({ name, status, statusReason }: Json) => [
          name,
          statusReason ?? status,
        ]),
      )
    expect(await statuses('/channel/hold', { until: '2026-11-15T05:00:00Z' })).toEqual({
      ...{ off: 'DISABLED', denied: 'HTTP 401', crm: 'HELD', inbox: 'HELD', handlers: 'HELD' },
    })
    expect(await statuses('/channel/release')).toEqual({ crm: 'ACTIVE', inbox: 'ACTIVE', handlers: 'ACTIVE' })
    expect(await statuses('/channel/release'), 'nothing is held').toEqual({})
    const rejected = await post(`/channel/${off}/hold`, { until: '2026-11-15T05:00:00Z' })
    expect([rejected.status, rejected.json.code]).toEqual([409, 'CHANNEL_DISABLED'])
    await post(`/channel/${crm}/hold`, {})
    const states = (await store.listChannels()).map(({ status }) => status)
    expect(states.sort().join()).toBe('ACTIVE,DISABLED,HELD')
    expect((await post(`/channel/${denied}/release`, {})).json.status).toBe('ACTIVE')
  })
})
