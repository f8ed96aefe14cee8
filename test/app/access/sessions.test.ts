// The sessions of one process: how soon it rejects a revoked one, how often it reads and writes the store, and how many there are.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createKey, createKeyring, type KeysDeps, revokeKey } from '../../../src/app/access/api-keys.ts'
import { createSessions, removeEndedSessions, type Sessions } from '../../../src/app/access/sessions.ts'
import { createIds } from '../../../src/domain/events/uuid.ts'
import { sha256Hex } from '../../../src/domain/formats/sha256.ts'
import type { Store } from '../../../src/ports/store.ts'
import type { Notice } from '../../../src/ports/telemetry.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { wrapStore } from '../../engine/support/world.ts'
import { createTestClock, HOUR, MINUTE, SECOND, seededDice, type TestClock } from '../../support/fixtures.ts'

const START = Date.parse('2026-06-15T09:00:00Z')

let clock: TestClock
let store: Store
let keys: KeysDeps
let notices: Notice[]
let calls: string[]
let made: number

beforeEach(() => {
  clock = createTestClock(START)
  store = openSqliteStore(':memory:')
  notices = []
  calls = []
  made = 0
  keys = { store, clock, ids: createIds(seededDice(3)), newKey: () => `terce_${++made}` }
})
afterEach(() => store.close())

type Given = Parameters<typeof createKeyring>[1]

/** The sessions of another process on the same database. Its calls of the store are recorded. */
function openSessions(given: Given = [], over: Partial<Store> = {}): Sessions & { keyring: Keyring } {
  const recorded = wrapStore({ ...store, ...over }, (name, call) => {
    calls.push(name)
    return call()
  })
  const telemetry = (notice: Notice) => void notices.push(notice)
  const keyring = createKeyring({ store: recorded, clock, telemetry }, given)
  const newToken = () => `token ${++made}`
  return { ...createSessions({ ...keys, store: recorded, telemetry, keyring, newToken }), keyring }
}
type Keyring = ReturnType<typeof createKeyring>

async function signedIn(sessions = openSessions()) {
  const { key, record } = await createKey(keys, { name: 'me', scope: 'write' })
  const checked = await sessions.keyring.check(key)
  if (checked.kind !== 'known') throw new Error('The key is not known.')
  const { token, session } = await sessions.open(checked.key)
  return { sessions, token, session, record, key: checked.key }
}

const count = (name: string) => calls.filter((call) => call === name).length

describe('the sessions of a process', () => {
  it('accept the token of a session that another process opened, with the key of that session', async () => {
    const other = openSessions()
    expect(await other.check('token of nobody')).toBeNull()
    const { token, record } = await signedIn()
    await clock.advance(250)
    expect(await other.check(token)).toMatchObject({ key: { id: record.id, name: 'me', scope: 'write' } })
  })

  it('reject a session five seconds after another process revoked it, at the latest', async () => {
    const { token, session, sessions } = await signedIn()
    const other = openSessions()
    expect(await other.check(token)).not.toBeNull()
    expect(await sessions.revoke(session.id)).toBe(true)
    expect(await sessions.check(token)).toBeNull()
    await clock.advance(5 * SECOND)
    expect(await other.check(token)).toBeNull()
  })

  it('reject a session five seconds after another process revoked its key, at the latest', async () => {
    const { token, record } = await signedIn()
    const other = openSessions()
    expect(await other.check(token)).not.toBeNull()
    await revokeKey(keys, record.id)
    await clock.advance(5 * SECOND)
    expect(await other.check(token)).toBeNull()
  })

  it('end when the key of their name in the environment is replaced', async () => {
    const given = (text: string) => [{ name: 'ops', scope: 'admin' as const, hash: sha256Hex(text) }]
    const before = openSessions(given('the first key of the environment'))
    const checked = await before.keyring.check('the first key of the environment')
    // Few enough digits of the hash that they confirm no guess.
    expect(checked).toMatchObject({ key: { sessionKey: expect.stringMatching(/#[\da-f]{4}$/) } })
    if (checked.kind !== 'known') throw new Error('The key is not known.')
    const { token } = await before.open(checked.key)
    expect(await openSessions(given('the first key of the environment')).check(token)).not.toBeNull()
    expect(await openSessions(given('another key of the environment')).check(token)).toBeNull()
    expect(await openSessions([]).check(token)).toBeNull()
  })

  it('read the store once in five seconds for valid tokens', async () => {
    const { token } = await signedIn()
    const other = openSessions()
    calls = []
    for (let i = 0; i < 50; i++) {
      expect(await other.check(token)).not.toBeNull()
      await clock.advance((5 * SECOND) / 50)
    }
    expect([count('listSessions'), count('listApiKeys')]).toEqual([1, 1])
  })

  it('read the store four times a second at most, however many wrong tokens are tried', async () => {
    const { sessions } = await signedIn()
    calls = []
    for (let i = 0; i < 1_000; i++) {
      expect(await sessions.check(`guess ${i}`)).toBeNull()
      await clock.advance(1)
    }
    expect(count('listSessions')).toBeLessThanOrEqual(5)
  })

  it('store the time of the last use once a minute, however often a session is used', async () => {
    const { token, sessions } = await signedIn()
    calls = []
    for (let i = 0; i < 12; i++) {
      await clock.advance(10 * SECOND)
      await sessions.check(token)
    }
    await expect.poll(async () => (await store.listSessions())[0]!.lastUsedAt).toBe(START + 2 * MINUTE)
    expect(count('touchSessions')).toBe(2)
  })

  it('accept a session even if the time of its last use cannot be stored, and report the error', async () => {
    const failing = { touchSessions: () => Promise.reject(new Error('the disk is full')) }
    const { token, sessions } = await signedIn(openSessions([], failing))
    await clock.advance(MINUTE)
    expect(await sessions.check(token)).not.toBeNull()
    await expect.poll(() => notices).toMatchObject([{ kind: 'error', operation: 'record-session-use' }])
  })

  it('are a hundred for one key at most: one more ends the session that was unused for longest', async () => {
    const { token: first, sessions, key } = await signedIn()
    await clock.advance(MINUTE)
    const { token: second } = await sessions.open(key)
    await clock.advance(MINUTE)
    expect(await sessions.check(first)).not.toBeNull()
    for (let i = 0; i < 99; i++) await sessions.open(key)
    expect(await store.listSessions()).toHaveLength(100)
    expect([await sessions.check(first), await sessions.check(second)]).toEqual([expect.anything(), null])
  })

  it('are removed from the store after they ended, and by the next sign-in', async () => {
    const { sessions, key } = await signedIn()
    await clock.advance(12 * HOUR)
    expect(await removeEndedSessions({ store, clock })).toBe(0)
    await clock.advance(1)
    await sessions.open(key)
    expect(await store.listSessions()).toHaveLength(1)
    await clock.advance(12 * HOUR + 1)
    expect(await removeEndedSessions({ store, clock })).toBe(1)
  })
})
