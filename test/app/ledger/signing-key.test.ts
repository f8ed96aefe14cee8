// The signing key of the installation: created once, and encrypted if there is a vault.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { resealKey, rotateKey, type SigningKeyDeps, signingKey } from '../../../src/app/ledger/signing-key.ts'
import type { SigningKey } from '../../../src/ports/signer.ts'
import type { Store } from '../../../src/ports/store.ts'
import { webCryptoSigner } from '../../../src/runtimes/config/signer.ts'
import { createVault } from '../../../src/runtimes/config/vault.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'

const vault = createVault([Buffer.alloc(32, 7)])
let store: Store
let deps: Omit<SigningKeyDeps, 'vault'>

beforeEach(() => {
  store = openSqliteStore(':memory:')
  deps = { store, clock: { now: () => 1_000 }, signer: webCryptoSigner }
})
afterEach(() => store.close())

describe('the signing key', () => {
  it('is created once, and stored as it is without TERCE_SECRET_KEY', async () => {
    const key = await signingKey({ ...deps, vault: null })
    expect(await store.listLedgerKeys()).toEqual([{ ...key, createdAt: 1_000 }])
    expect(await signingKey({ ...deps, vault: null })).toEqual(key)
  })

  it('is stored encrypted with TERCE_SECRET_KEY, for the place ledger', async () => {
    const key = await signingKey({ ...deps, vault })
    const stored = (await store.listLedgerKeys())[0]!
    expect(stored.privateKey).not.toContain(key.privateKey)
    expect(vault.open(stored.privateKey, 'ledger')).toBe(key.privateKey)
    expect(await signingKey({ ...deps, vault })).toEqual(key)
    const signature = await webCryptoSigner.sign(key.privateKey, 'a')
    expect(await webCryptoSigner.verify(stored.publicKey, 'a', signature)).toBe(true)
  })

  it('is read by a process that was given TERCE_SECRET_KEY after it was created without', async () => {
    const key = await signingKey({ ...deps, vault: null })
    expect(await signingKey({ ...deps, vault })).toEqual(key)
  })

  it('cannot be read without the TERCE_SECRET_KEY that it was created under, and is not replaced', async () => {
    const { publicKey } = await signingKey({ ...deps, vault })
    await expect(signingKey({ ...deps, vault: null })).rejects.toThrow('Set the TERCE_SECRET_KEY')
    const other = createVault([Buffer.alloc(32, 8)])
    await expect(signingKey({ ...deps, vault: other })).rejects.toThrow('another TERCE_SECRET_KEY')
    expect((await store.listLedgerKeys())[0]!.publicKey).toBe(publicKey)
  })

  it('is the one of the process that saved first, when two processes create it at once', async () => {
    let first: SigningKey | null = null
    const createKey = async () => {
      first = await signingKey({ ...deps, vault })
      return webCryptoSigner.createKey()
    }
    const second = await signingKey({ ...deps, signer: { ...webCryptoSigner, createKey }, vault })
    expect(first).not.toBeNull()
    expect(second).toEqual(first)
  })

  it('is encrypted with the first TERCE_SECRET_KEY when it is used under a later one', async () => {
    const key = await signingKey({ ...deps, vault })
    const [NEW, OLD] = [Buffer.alloc(32, 8), Buffer.alloc(32, 7)]
    expect(await signingKey({ ...deps, vault: createVault([NEW, OLD]) })).toEqual(key)
    expect(await signingKey({ ...deps, vault: createVault([NEW]) })).toEqual(key)
  })

  it('is encrypted anew by resealKey, once, also if it was not encrypted', async () => {
    expect(await resealKey({ store, vault }, { dryRun: false })).toBe('none')
    const key = await signingKey({ ...deps, vault: null })
    expect(await resealKey({ store, vault }, { dryRun: true })).toBe('resealed')
    expect(await resealKey({ store, vault }, { dryRun: false })).toBe('resealed')
    expect(await resealKey({ store, vault }, { dryRun: false })).toBe('current')
    expect(await signingKey({ ...deps, vault })).toEqual(key)
    const other = createVault([Buffer.alloc(32, 8)])
    await expect(resealKey({ store, vault: other }, { dryRun: false })).rejects.toThrow('TERCE_SECRET_KEY')
  })

  it('is replaced by rotateKey, even if no TERCE_SECRET_KEY opens it', async () => {
    const first = await signingKey({ ...deps, vault })
    const second = await rotateKey({ ...deps, vault: createVault([Buffer.alloc(32, 8)]) })
    expect(second.publicKey).not.toBe(first.publicKey)
    expect(await signingKey({ ...deps, vault: createVault([Buffer.alloc(32, 8)]) })).toEqual(second)
    expect((await store.listLedgerKeys()).map(({ publicKey }) => publicKey)).toEqual([
      second.publicKey,
      first.publicKey,
    ])
  })
})
