// The signing key of the installation: created when it is first needed, and encrypted if TERCE_SECRET_KEY is set.
import type { Clock } from '../../ports/clock.ts'
import type { Signer, SigningKey } from '../../ports/signer.ts'
import type { LedgerKey, LedgerStore } from '../../ports/store/ledger.ts'
import type { Vault } from '../../ports/vault.ts'

type KeyStore = Pick<LedgerStore, 'listLedgerKeys' | 'saveLedgerKey'>

export type SigningKeyDeps = {
  store: KeyStore
  clock: Pick<Clock, 'now'>
  signer: Signer
  /** Null if TERCE_SECRET_KEY is not set. */
  vault: Vault | null
}

/** The place that the vault binds the key to. */
const PLACE = 'ledger'

/** What the vault returns has dots, which base64 has not. */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/**
 * Encrypts the stored key with the first key of TERCE_SECRET_KEY, if an earlier one opens it: on Cloudflare there is no other occasion.
 * Throws if the stored key is encrypted and no TERCE_SECRET_KEY opens it.
 */
export async function signingKey(deps: SigningKeyDeps): Promise<SigningKey> {
  const { store, vault } = deps
  const [stored] = await store.listLedgerKeys()
  if (stored === undefined) return addKey(deps, null)
  const key = opened(stored, vault)
  if (ageOf(stored, vault) === 'previous-key') await store.saveLedgerKey(sealed(stored, key, vault), stored)
  return key
}

/** Makes a new key, with which the days from now on are signed. The key before it need not be readable. */
export async function rotateKey(deps: SigningKeyDeps): Promise<SigningKey> {
  const [newest = null] = await deps.store.listLedgerKeys()
  return addKey(deps, newest)
}

async function addKey(deps: SigningKeyDeps, seen: LedgerKey | null): Promise<SigningKey> {
  const { store, clock, signer, vault } = deps
  const key = await signer.createKey()
  const added = sealed({ publicKey: key.publicKey, createdAt: clock.now() }, key, vault)
  // Otherwise another process has created one meanwhile.
  return (await store.saveLedgerKey(added, seen)) ? key : opened((await store.listLedgerKeys())[0]!, vault)
}

/**
 * Encrypts the stored key with the first key of TERCE_SECRET_KEY. With `dryRun`, only says whether it needs it. Throws if no
 * TERCE_SECRET_KEY opens it.
 */
export async function resealKey(
  { store, vault }: { store: KeyStore; vault: Vault },
  { dryRun }: { dryRun: boolean },
): Promise<'resealed' | 'current' | 'none'> {
  const [stored] = await store.listLedgerKeys()
  if (stored === undefined) return 'none'
  const key = opened(stored, vault)
  if (ageOf(stored, vault) === 'current') return 'current'
  if (!dryRun) await store.saveLedgerKey(sealed(stored, key, vault), stored)
  return 'resealed'
}

/** `open`: the key is not encrypted. */
export function ageOf({ privateKey }: LedgerKey, vault: Vault | null): ReturnType<Vault['ageOf']> | 'open' {
  return vault === null || BASE64.test(privateKey) ? 'open' : vault.ageOf(privateKey)
}

function sealed(
  { publicKey, createdAt }: Omit<LedgerKey, 'privateKey'>,
  { privateKey }: SigningKey,
  vault: Vault | null,
): LedgerKey {
  return { publicKey, createdAt, privateKey: vault === null ? privateKey : vault.seal(privateKey, PLACE) }
}

function opened({ publicKey, privateKey }: SigningKey, vault: Vault | null): SigningKey {
  if (BASE64.test(privateKey)) return { publicKey, privateKey }
  if (vault === null)
    throw new Error(
      'The signing key of the ledger is encrypted. Set the TERCE_SECRET_KEY that it was created under.',
    )
  return { publicKey, privateKey: vault.open(privateKey, PLACE) }
}
