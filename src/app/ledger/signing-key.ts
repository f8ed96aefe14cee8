// The signing key of the installation: created when it is first needed, and encrypted if TERCE_SECRET_KEY is set.
import type { Clock } from '../../ports/clock.ts'
import type { Signer, SigningKey } from '../../ports/signer.ts'
import type { LedgerStore } from '../../ports/store/ledger.ts'
import type { Vault } from '../../ports/vault.ts'

export type SigningKeyDeps = {
  store: Pick<LedgerStore, 'findLedgerKey' | 'saveLedgerKey'>
  clock: Pick<Clock, 'now'>
  signer: Signer
  /** Null if TERCE_SECRET_KEY is not set. */
  vault: Vault | null
}

/** The place that the vault binds the key to. */
export const PLACE_OF_LEDGER_KEY = 'ledger'

/** What the vault returns has dots, which base64 has not. */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** Throws if the stored key is encrypted and no TERCE_SECRET_KEY opens it. */
export async function signingKey(deps: SigningKeyDeps): Promise<SigningKey> {
  const { store, clock, signer, vault } = deps
  const stored = await store.findLedgerKey()
  if (stored !== null) return opened(stored, vault)
  const key = await signer.createKey()
  const privateKey = vault === null ? key.privateKey : vault.seal(key.privateKey, PLACE_OF_LEDGER_KEY)
  const isSaved = await store.saveLedgerKey({ publicKey: key.publicKey, privateKey, createdAt: clock.now() })
  // Otherwise another process created the key since it was looked for.
  return isSaved ? key : opened((await store.findLedgerKey())!, vault)
}

function opened({ publicKey, privateKey }: SigningKey, vault: Vault | null): SigningKey {
  if (BASE64.test(privateKey)) return { publicKey, privateKey }
  if (vault === null)
    throw new Error(
      'The signing key of the ledger is encrypted. Set the TERCE_SECRET_KEY that it was created under.',
    )
  return { publicKey, privateKey: vault.open(privateKey, PLACE_OF_LEDGER_KEY) }
}
