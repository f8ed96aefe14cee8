// `terce ledger rotate-key`: makes a new key, which signs the days from now on.
import { rotateKey } from '../../app/ledger/signing-key.ts'
import { readConfig } from '../../runtimes/config/config.ts'
import { webCryptoSigner as signer } from '../../runtimes/config/signer.ts'
import { createVault } from '../../runtimes/config/vault.ts'
import { auditCli } from '../audit.ts'
import type { Entry } from '../entry.ts'
import { openForCommand } from '../open-database.ts'

export async function rotate({ env }: Pick<Entry, 'env'>, { json }: { json?: true }): Promise<void> {
  const { database, secretKeys } = readConfig(env)
  const { store, clock, close } = await openForCommand(database)
  try {
    const vault = secretKeys === null ? null : createVault(secretKeys)
    const { publicKey } = await rotateKey({ store, clock, signer, vault })
    const object = { kind: 'ledger', id: publicKey }
    await auditCli({ store, clock }, { action: 'secret.rotated', object, details: null })
    if (json) return console.log(JSON.stringify({ publicKey }))
    console.log(`Days that are closed from now on are signed with the key ${publicKey}.`)
    if (vault === null)
      console.error('The private key is stored as it is: set TERCE_SECRET_KEY to encrypt it.')
  } finally {
    await close()
  }
}
