// The keyring of one process: how soon it accepts a new key and rejects a revoked one, and how often it reads the store.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createKey,
  createKeyring,
  type Keyring,
  type KeysDeps,
  revokeKey,
} from '../../../src/app/access/api-keys.ts'
import { createIds } from '../../../src/domain/events/uuid.ts'
import { sha256Hex } from '../../../src/domain/formats/sha256.ts'
import type { Store } from '../../../src/ports/store.ts'
import type { Notice } from '../../../src/ports/telemetry.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { wrapStore } from '../../engine/support/world.ts'
import { createTestClock, MINUTE, SECOND, seededDice, type TestClock } from '../../support/fixtures.ts'

const START = Date.parse('2026-06-15T09:00:00Z')

let clock: TestClock
let store: Store
let keys: KeysDeps
let notices: Notice[]

beforeEach(() => {
  clock = createTestClock(START)
  store = openSqliteStore(':memory:')
  notices = []
  let made = 0
  keys = { store, clock, ids: createIds(seededDice(3)), newKey: () => `terce_${++made}` }
})
afterEach(() => store.close())

/** The keyring of another process on the same database, and how often it read all keys. */
function openKeyring(given: Parameters<typeof createKeyring>[1] = []): Keyring & { reads(): number } {
  let reads = 0
  const counted = wrapStore(store, (name, call) => {
    if (name === 'listApiKeys') reads += 1
    return call()
  })
  const telemetry = (notice: Notice) => void notices.push(notice)
  return { ...createKeyring({ store: counted, clock, telemetry }, given), reads: () => reads }
}

const kindOf = async (keyring: Keyring, key: string | null) => (await keyring.check(key)).kind

describe('a keyring', () => {
  it('rejects a key five seconds after another process revoked it, at the latest', async () => {
    const { key, record } = await createKey(keys, { name: 'ci', scope: 'write' })
    const keyring = openKeyring()
    expect(await keyring.check(key)).toEqual({
      kind: 'known',
      key: expect.objectContaining({ id: record.id, scope: 'write' }),
    })
    expect(await revokeKey(keys, record.id)).toBe(true)
    await clock.advance(5 * SECOND)
    expect(await kindOf(keyring, key)).toBe('unknown')
  })

  it('reads the store once in five seconds for valid keys', async () => {
    const { key } = await createKey(keys, { name: 'ci', scope: 'write' })
    const keyring = openKeyring()
    for (let i = 0; i < 50; i++) {
      expect(await kindOf(keyring, key)).toBe('known')
      await clock.advance((5 * SECOND) / 50)
    }
    expect(keyring.reads()).toBe(1)
  })

  it('reads the store four times a second at most, however many wrong keys are tried', async () => {
    await createKey(keys, { name: 'ci', scope: 'write' })
    const keyring = openKeyring()
    for (let i = 0; i < 1_000; i++) {
      expect(await kindOf(keyring, `terce_guess_${i}`)).toBe('unknown')
      await clock.advance(1)
    }
    expect(keyring.reads()).toBeLessThanOrEqual(4)
  })

  it('accepts a key that another process just created within a quarter of a second', async () => {
    await createKey(keys, { name: 'first', scope: 'admin' })
    const keyring = openKeyring()
    await keyring.check('terce_wrong')
    const { key } = await createKey(keys, { name: 'second', scope: 'read' })
    await clock.advance(250)
    expect(await kindOf(keyring, key)).toBe('known')
  })

  it('is open while there is no key, and closed within a quarter of a second after the first was created', async () => {
    const keyring = openKeyring()
    expect(await kindOf(keyring, null)).toBe('open')
    const { key } = await createKey(keys, { name: 'first', scope: 'read' })
    await clock.advance(250)
    expect([await kindOf(keyring, null), await kindOf(keyring, key)]).toEqual(['unknown', 'known'])
  })

  it('stays closed after the last key was revoked', async () => {
    const keyring = openKeyring()
    const { key, record } = await createKey(keys, { name: 'only', scope: 'admin' })
    expect([await kindOf(keyring, null), await kindOf(keyring, key)]).toEqual(['unknown', 'known'])
    await revokeKey(keys, record.id)
    expect(await revokeKey(keys, record.id)).toBe(false)
    await clock.advance(5 * SECOND)
    expect([await kindOf(keyring, null), await kindOf(keyring, key)]).toEqual(['unknown', 'unknown'])
  })

  it('accepts a key from the environment, beside stored keys, and closes the API with it alone', async () => {
    const given = [{ name: 'ops', scope: 'admin' as const, hash: sha256Hex('from-the-environment') }]
    const keyring = openKeyring(given)
    expect(await kindOf(keyring, null)).toBe('unknown')
    const known = await keyring.check('from-the-environment')
    expect(known).toMatchObject({ kind: 'known', key: { id: 'environment:ops', scope: 'admin' } })
    const { key } = await createKey(keys, { name: 'ci', scope: 'read' })
    await clock.advance(5 * SECOND)
    expect([await kindOf(keyring, key), await kindOf(keyring, 'from-the-environment')]).toEqual([
      'known',
      'known',
    ])
  })

  it('stores the time of the last use once a minute, however often the key is used', async () => {
    const { key } = await createKey(keys, { name: 'ci', scope: 'read' })
    const stored: number[] = []
    store = wrapStore(store, (name, call) => {
      if (name === 'touchApiKeys') stored.push(clock.now() - START)
      return call()
    })
    const keyring = openKeyring()
    for (let i = 0; i < 12; i++) {
      await keyring.check(key)
      await clock.advance(10 * SECOND)
    }
    expect(stored).toEqual([0, MINUTE])
  })

  it('accepts a key even if the time of its last use cannot be stored, and reports the error', async () => {
    const { key } = await createKey(keys, { name: 'ci', scope: 'read' })
    store = wrapStore(store, (name, call) =>
      name === 'touchApiKeys' ? Promise.reject(new Error('the disk is full')) : call(),
    )
    expect(await kindOf(openKeyring(), key)).toBe('known')
    await expect
      .poll(() => notices)
      .toEqual([expect.objectContaining({ kind: 'error', operation: 'record-key-use' })])
  })
})
