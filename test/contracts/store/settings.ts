// What is set up rather than scheduled: channels, templates, API keys, sessions.
import { describe, expect } from 'vitest'
import type { ApiKey } from '../../../src/domain/access/api-key.ts'
import type { Session } from '../../../src/domain/access/session.ts'
import type { Template } from '../../../src/domain/messages/template.ts'
import type { ChannelRecord } from '../../../src/domain/settings/channel.ts'
import { addOccasion, DAY, makePerson, newId, T0 } from '../../support/fixtures.ts'
import type { StoreIt } from '../store.contract.ts'
import { create, createOneClaimed, refOf } from './steps.ts'

export function makeChannel(over: Partial<ChannelRecord> = {}): ChannelRecord {
  return {
    id: newId(T0),
    name: 'crm',
    settings: { kind: 'webhook', url: 'https://example.com/"hook"', perSecond: 50, concurrency: null },
    secrets: [{ sealed: 'abc', createdAt: T0, expiresAt: null }],
    defaultSince: null,
    status: 'ACTIVE',
    statusReason: null,
    version: 1,
    createdAt: T0,
    updatedAt: T0,
    ...over,
  }
}

function makeTemplate(over: Partial<Template> = {}): Template {
  return {
    type: 'BIRTHDAY',
    language: 'de',
    subject: null,
    body: 'Alles Gute, {{ firstName }}! 🎂',
    version: 1,
    createdAt: T0,
    updatedAt: T0,
    ...over,
  }
}

function makeKey(over: Partial<ApiKey> = {}): ApiKey {
  const id = newId(T0)
  return {
    id,
    name: 'ci',
    hash: id,
    scope: 'write',
    createdAt: T0,
    lastUsedAt: null,
    revokedAt: null,
    expiresAt: null,
    allowedFrom: [],
    ...over,
  }
}

function makeSession(over: Partial<Session> = {}): Session {
  const id = newId(T0)
  const times = { createdAt: T0, lastUsedAt: T0 }
  return { id, hash: `hash of ${id}`, keyId: newId(T0), ...times, ...over }
}

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)

export function describeSettings(it: StoreIt): void {
  describe('a channel', () => {
    it('is created once when several callers create one of that name at the same time', async (store, {
      another,
    }) => {
      const stores = [store, await another()]
      const results = await Promise.all(
        Array.from({ length: 10 }, (_, i) => stores[i % 2]!.saveChannel(makeChannel({ name: 'same' }))),
      )
      expect(results.sort()).toEqual(['saved', ...Array(9).fill('taken')])
      expect(await store.listChannels()).toHaveLength(1)
    })

    it('is the only one to get a name that several channels are renamed to at the same time', async (store, {
      another,
    }) => {
      const stores = [store, await another()]
      const channels = Array.from({ length: 10 }, (_, i) => makeChannel({ name: `channel-${i}` }))
      for (const channel of channels) await store.saveChannel(channel)
      const results = await Promise.all(
        channels.map((channel, i) => stores[i % 2]!.saveChannel({ ...channel, name: 'same', version: 2 })),
      )
      expect(results.sort()).toEqual(['saved', ...Array(9).fill('taken')])
      expect((await store.listChannels()).filter(({ name }) => name === 'same')).toHaveLength(1)
    })

    it('comes back as it was saved, in order of id', async (store) => {
      const mail = makeChannel({
        name: 'mail',
        settings: {
          kind: 'smtp',
          from: 'hello@example.com',
          replyTo: null,
          listUnsubscribe: null,
          perSecond: null,
          concurrency: 2,
        },
        defaultSince: T0 + 5,
        status: 'HELD',
        statusReason: 'HTTP 401',
      })
      const hook = makeChannel()
      expect(await store.saveChannel(hook)).toBe('saved')
      expect(await store.saveChannel(mail)).toBe('saved')
      expect(await store.listChannels()).toEqual([mail, hook].sort((a, b) => (a.id < b.id ? -1 : 1)))
    })

    it('is replaced only from the version before, and keeps its name to itself', async (store) => {
      const one = makeChannel()
      await store.saveChannel(one)
      expect(await store.saveChannel(one)).toBe('conflict')
      expect(await store.saveChannel(makeChannel())).toBe('taken')
      expect(await store.saveChannel({ ...one, version: 3 })).toBe('conflict')
      const second = { ...one, name: 'other', version: 2, updatedAt: T0 + 1 }
      expect(await store.saveChannel(second)).toBe('saved')
      expect(await store.saveChannel({ ...second, version: 2 })).toBe('conflict')
      expect(await store.listChannels()).toEqual([second])
    })

    it('changes its status from the one named, once', async (store) => {
      const one = makeChannel()
      await store.saveChannel(one)
      const change = { id: one.id, from: 'ACTIVE', to: 'DISABLED', reason: 'HTTP 410', at: T0 + 9 } as const
      expect(await store.setChannelStatus(change)).toBe(true)
      expect(await store.setChannelStatus(change)).toBe(false)
      expect(await store.listChannels()).toEqual([
        { ...one, status: 'DISABLED', statusReason: 'HTTP 410', version: 2, updatedAt: T0 + 9 },
      ])
    })
  })

  describe('a channel that is removed', () => {
    it('is gone, and its name is free', async (store) => {
      const one = makeChannel()
      await store.saveChannel(one)
      expect(await store.removeChannel({ ...one, version: 2 })).toBe('conflict')
      expect(await store.removeChannel(one)).toBe('removed')
      expect(await store.removeChannel(one)).toBe('conflict')
      expect(await store.saveChannel(makeChannel())).toBe('saved')
    })

    it('stays while an occasion names it', async (store) => {
      const one = makeChannel()
      await store.saveChannel(one)
      const person = addOccasion(makePerson(), { type: 'PAY_DAY', date: '2026-01-31', channelId: one.id }, T0)
      await create(store, person)
      expect(await store.removeChannel(one)).toBe('in-use')
      await store.removeOccasion(person.occasions[1]!.id, T0)
      expect(await store.removeChannel(one)).toBe('removed')
    })

    it('stays while an open event was last sent to it', async (store) => {
      const one = makeChannel()
      await store.saveChannel(one)
      const { claim } = await createOneClaimed(store)
      const tried = { kind: 'retry', wakeAt: T0 + DAY, error: 'HTTP 500', statusCode: 500 } as const
      await store.settle([{ ...refOf(claim), ...tried, at: T0 + 1, channelId: one.id }])
      expect(await store.removeChannel(one)).toBe('in-use')
      await store.deleteUser(claim.user.id, T0)
      expect(await store.removeChannel(one)).toBe('removed')
    })
  })

  describe('the types of occasions', () => {
    it('are listed once each, in order of name', async (store) => {
      expect(await store.listOccasionTypes()).toEqual([])
      for (const _ of [1, 2])
        await create(store, addOccasion(makePerson(), { type: 'PAY_DAY', date: '2026-01-31' }, T0))
      expect(await store.listOccasionTypes()).toEqual(['BIRTHDAY', 'PAY_DAY'])
    })
  })

  describe('a template', () => {
    it('is kept for each type and language, replaced by version, and removed', async (store) => {
      const german = makeTemplate()
      const all = makeTemplate({ language: '', body: 'Hey', subject: 'Hello' })
      expect(await store.saveTemplate(german)).toBe('saved')
      expect(await store.saveTemplate(all)).toBe('saved')
      expect(await store.saveTemplate(german)).toBe('conflict')
      expect(await store.listTemplates()).toEqual([all, german])
      const better = { ...german, body: 'Hoch!', version: 2, updatedAt: T0 + 1 }
      expect(await store.saveTemplate(better)).toBe('saved')
      expect(await store.saveTemplate(better)).toBe('conflict')
      expect(await store.removeTemplate(all)).toBe(true)
      expect(await store.removeTemplate(all)).toBe(false)
      expect(await store.listTemplates()).toEqual([better])
    })
  })

  describe('an API key', () => {
    it('is kept by its hash, noted when used, and revoked once', async (store) => {
      const allowedFrom = ['10.0.0.0/8', '2001:db8::/32']
      const [one, two] = [makeKey(), makeKey({ scope: 'admin', expiresAt: T0 + DAY, allowedFrom })]
      expect(await store.createApiKey(one)).toBe(true)
      expect(await store.createApiKey(two)).toBe(true)
      expect(await store.createApiKey({ ...makeKey(), hash: one.hash })).toBe(false)
      await store.touchApiKeys([{ id: one.id, at: T0 + DAY }])
      expect(await store.revokeApiKey(two.id, T0 + 7)).toBe(true)
      expect(await store.revokeApiKey(two.id, T0 + 8)).toBe(false)
      expect(await store.revokeApiKey(newId(T0), T0)).toBe(false)
      expect(await store.listApiKeys()).toEqual([
        { ...one, lastUsedAt: T0 + DAY },
        { ...two, revokedAt: T0 + 7 },
      ])
    })
  })
  describe('a session', () => {
    it('comes back as it was created, in order of id, and is removed once', async (store, { another }) => {
      const [one, two] = [makeSession(), makeSession({ keyId: 'environment:ops#1a2b3c4d' })]
      await store.createSession(one)
      await store.createSession(two)
      expect(await (await another()).listSessions()).toEqual([one, two].sort(byId))
      expect(await store.removeSession(one.id)).toBe(true)
      expect(await store.removeSession(one.id)).toBe(false)
      expect(await store.listSessions()).toEqual([two])
    })

    it('cannot have the hash of another session', async (store) => {
      const one = makeSession()
      await store.createSession(one)
      await expect(store.createSession({ ...makeSession(), hash: one.hash })).rejects.toThrow()
      expect(await store.listSessions()).toEqual([one])
    })

    it('keeps the latest time of use, and stays removed when a late report of its use arrives', async (store) => {
      const [one, two] = [makeSession(), makeSession()]
      await store.createSession(one)
      await store.createSession(two)
      await store.removeSession(two.id)
      await store.touchSessions([
        { id: one.id, at: T0 + 2 * DAY },
        { id: two.id, at: T0 + DAY },
      ])
      await store.touchSessions([{ id: one.id, at: T0 + DAY }])
      expect(await store.listSessions()).toEqual([{ ...one, lastUsedAt: T0 + 2 * DAY }])
    })

    it('is removed with the old ones if it was last used, or created, before the given instants', async (store) => {
      const idle = makeSession({ createdAt: T0 + DAY, lastUsedAt: T0 + DAY - 1 })
      const old = makeSession({ createdAt: T0 - 1, lastUsedAt: T0 + 2 * DAY })
      const live = makeSession({ createdAt: T0, lastUsedAt: T0 + DAY })
      for (const session of [idle, old, live]) await store.createSession(session)
      expect(await store.removeOldSessions({ lastUsed: T0 + DAY, created: T0 })).toBe(2)
      expect(await store.listSessions()).toEqual([live])
    })
  })
}
