// Signs the days of a simulated ledger within one step: WebCrypto responds from another thread, at a time that no seed decides.
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import type { Signer } from '../../../src/ports/signer.ts'
import type { Dice } from './dice.ts'

/** What comes before the 32 bytes of an Ed25519 key in its DER form. */
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

export function createSigner(dice: Dice): Signer {
  return {
    async createKey() {
      const { publicKey, privateKey } = generateKeyPairSync('ed25519')
      const der = publicKey.export({ format: 'der', type: 'spki' })
      return {
        publicKey: der.subarray(PUBLIC_PREFIX.length).toString('base64'),
        privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
      }
    },
    async sign(privateKey, text) {
      const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' })
      return sign(null, Buffer.from(text), key).toString('base64')
    },
    async verify(publicKey, text, signature) {
      const der = Buffer.concat([PUBLIC_PREFIX, Buffer.from(publicKey, 'base64')])
      const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
      return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'))
    },
    newSalt: () => Array.from({ length: 32 }, () => dice.between(0, 15).toString(16)).join(''),
  }
}
