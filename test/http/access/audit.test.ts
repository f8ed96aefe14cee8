// The audit log over HTTP: which operations are recorded, by whom, and how it is read.
import { describe, expect, it } from 'vitest'
import type { Operation } from '../../../src/http/server/operation.ts'
import { COMPLETE_TASK } from '../../../src/http/tasks/operations.ts'
import { ADMIN, cookieOf, ENVIRONMENT_KEY } from '../support/test-access.ts'
import { ADA, createKeyedApp, type Json, NO_ONE, type TestApp } from '../support/test-app.ts'

async function entries({ send }: TestApp, query = ''): Promise<Json[]> {
  return (await send(`/audit${query}`, { headers: ADMIN })).json.items
}

const brief = ({ action, actor, object, result }: Json) => [action, actor, object?.kind ?? null, result]

describe('the audit log', () => {
  it('has an entry for keys, channels, secrets, templates, exports, erasures and bulk actions', async () => {
    const app = createKeyedApp()
    const { post, put, send } = app
    const created = (await post('/key', { name: 'ci', scope: 'read' }, ADMIN)).json.apiKey
    await send(`/key/${created.id}`, { method: 'DELETE', headers: ADMIN })
    const hook = { kind: 'webhook', name: 'hook', url: 'https://example.com/hook' }
    const { channel } = (await post('/channel', hook, ADMIN)).json
    await put(`/channel/${channel.id}`, { name: 'other', url: 'https://elsewhere.net/secret' }, ADMIN)
    for (const verb of ['rotate', 'test', 'hold', 'release'])
      await post(`/channel/${channel.id}/${verb}`, {}, ADMIN)
    await send(`/channel/${channel.id}`, { method: 'DELETE', headers: ADMIN })
    await put('/template/BIRTHDAY/de', { body: 'Hallo {{firstName}}' }, ADMIN)
    await send('/template/BIRTHDAY/de', { method: 'DELETE', headers: ADMIN })
    await send('/user/export?format=csv', { headers: ADMIN })
    const { user } = (await post('/user', ADA, ADMIN)).json
    await send(`/user/${user.id}`, { method: 'DELETE', headers: ADMIN })
    await post('/people/delete', { filter: {} }, ADMIN)
    await post('/event/replay', {}, ADMIN)
    const all = await entries(app)
    expect(all.map(brief).reverse()).toEqual(
      [
        ['key.created', 'key'],
        ['key.revoked', 'key'],
        ['channel.created', 'channel'],
        ['channel.changed', 'channel'],
        ['secret.rotated', 'channel'],
        ['channel.tested', 'channel'],
        ['channel.held', 'channel'],
        ['channel.released', 'channel'],
        ['channel.deleted', 'channel'],
        ['template.changed', 'template'],
        ['template.deleted', 'template'],
        ['people.exported', null],
        ['person.erased', 'user'],
        ['people.erased', null],
        ['events.replayed', null],
      ].map(([action, kind]) => [action, 'environment:env', kind, 'ok']),
    )
    const ids = all.map(({ object }) => object?.id ?? null).reverse()
    expect(ids.slice(0, 3)).toEqual([created.id, created.id, channel.id])
    expect(ids.slice(9, 13)).toEqual(['BIRTHDAY/de', 'BIRTHDAY/de', null, user.id])
    expect(all.find(({ action }) => action === 'channel.changed')!.details).toEqual({
      fields: 'name, url',
      hostBefore: 'example.com',
    })
    expect(JSON.stringify(all)).not.toMatch(/Ada|Lovelace|Hallo|"hook"|example\.com\/|elsewhere/)
  })

  it('names the session of a browser, and has an entry for sign-in and sign-out', async () => {
    const app = createKeyedApp()
    const signIn = async () => cookieOf(await app.post('/session', { key: ENVIRONMENT_KEY }))
    const first = await signIn()
    await signIn()
    await app.send('/session', { method: 'DELETE', headers: first })
    const [ended] = await entries(app)
    expect(brief(ended)).toEqual(['session.ended', `session:${ended.object.id}`, 'session', 'ok'])
    const [created, ...others] = await entries(app, '?action=session.created')
    expect(brief(created)).toEqual(['session.created', 'environment:env', 'session', 'ok'])
    expect([others.length, created.details]).toEqual([1, { keyId: 'environment:env' }])
  })

  it('counts rejected requests and failed sign-ins by address', async () => {
    const app = createKeyedApp()
    const from = (address: string) => ({ 'X-Test-Address': address })
    for (let i = 0; i < 5; i++) await app.send('/user', { headers: from('192.0.2.1') })
    await app.post('/session', { key: 'guess' }, from('192.0.2.2'))
    const { key, apiKey } = (await app.post('/key', { name: 'r', scope: 'read' }, ADMIN)).json
    await app.post('/key', { name: 'x', scope: 'admin' }, { Authorization: `Bearer ${key}` })
    await app.send(`/user/${NO_ONE}`, { method: 'DELETE', headers: ADMIN })
    const rejected = (await entries(app)).filter(({ result }) => result === 'rejected').reverse()
    const shown = rejected.map((one) => [
      ...brief(one).slice(0, 2),
      one.address,
      one.status,
      one.details.operation,
    ])
    expect(shown).toEqual([
      ['request.rejected', null, '192.0.2.1', 401, 'listUsers'],
      ['session.rejected', null, '192.0.2.2', 401, 'signIn'],
      ['request.rejected', `key:${apiKey.id}`, '127.0.0.1', 403, 'createKey'],
      ['person.erased', 'environment:env', '127.0.0.1', 404, 'deleteUser'],
    ])
  })

  it('has an entry for a wrong key at GET /session, and for the first 429 of a minute', async () => {
    const app = createKeyedApp({ perMinute: 100 })
    const guess = (i: number) =>
      app.send('/session', { headers: { 'X-Test-Address': '192.0.2.1', Authorization: `Bearer wrong-${i}` } })
    for (let i = 0; i < 65; i++) await guess(i)
    for (let i = 0; i < 102; i++) await app.send('/docs', { headers: { 'X-Test-Address': '192.0.2.2' } })
    const all = await entries(app)
    expect(all.map(({ action, address, status, count }) => [action, address, status, count])).toEqual([
      ['request.rejected', '192.0.2.2', 429, 1],
      ['session.rejected', '192.0.2.1', 429, 1],
      ['session.rejected', '192.0.2.1', 401, 1],
    ])
  })

  it('counts the exports of one caller in a minute in one entry, and those of another apart', async () => {
    const app = createKeyedApp()
    const { key } = (await app.post('/key', { name: 'r', scope: 'read' }, ADMIN)).json
    const reader = { Authorization: `Bearer ${key}` }
    for (let i = 0; i < 200; i++) await app.send('/user/export?limit=1', { headers: reader })
    await app.send('/user/export?limit=1', { headers: ADMIN })
    expect(await entries(app, '?action=people.exported')).toHaveLength(2)
    app.setClock('2026-11-15T04:01:00Z')
    await app.send('/user/export?limit=1', { headers: reader })
    const [newest] = await entries(app, '?action=people.exported')
    expect([newest.actor, newest.count]).toEqual([expect.stringMatching(/^key:/), 200])
  })

  it('has no entry for a dry run or a read', async () => {
    const app = createKeyedApp()
    await app.post('/people/delete', { filter: {}, dryRun: true }, ADMIN)
    await app.post('/event/replay', { dryRun: true }, ADMIN)
    await app.send('/user', { headers: ADMIN })
    await app.post('/user/bulk', { users: [ADA] }, ADMIN)
    expect((await entries(app)).map(({ action, details }) => [action, details])).toEqual([
      ['people.imported', { created: 1 }],
    ])
  })

  it('is read in pages, the newest first, by filters', async () => {
    const app = createKeyedApp()
    for (let i = 0; i < 5; i++) {
      app.setClock(`2026-11-15T0${i}:00:00Z`)
      await app.post('/key', { name: `k${i}`, scope: 'read' }, ADMIN)
    }
    const first = (await app.send('/audit?limit=2', { headers: ADMIN })).json
    expect(first.items.map(({ id }: Json) => id)).toEqual([5, 4])
    const next = (await app.send(`/audit?limit=2&cursor=${first.nextCursor}`, { headers: ADMIN })).json
    expect(next.items.map(({ id }: Json) => id)).toEqual([3, 2])
    const at = await entries(app, '?from=2026-11-15T01:00:00Z&to=2026-11-15T03:00:00Z')
    expect(at.map(({ id }) => id)).toEqual([3, 2])
    expect(await entries(app, '?actor=cli')).toEqual([])
    expect(await entries(app, `?object=${first.items[0].object.id}`)).toHaveLength(1)
    const wrong = await app.send('/audit?action=nap&cursor=x', { headers: ADMIN })
    expect(wrong.json.problems.map(({ field }: Json) => field).sort()).toEqual(['action', 'cursor'])
  })
})

it('an operation that changes something does not compile without an audit rule', () => {
  const { audit, ...unaudited } = COMPLETE_TASK
  // @ts-expect-error: `audit` is missing
  const operation: Operation = unaudited
  expect([audit, operation.operationId]).toEqual([null, 'completeTask'])
})
