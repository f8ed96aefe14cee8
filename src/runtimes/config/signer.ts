// Ed25519 by WebCrypto, which Node, workerd and Lambda have.
import type { webcrypto } from 'node:crypto'
import { hexOf } from '../../domain/formats/sha256.ts'
import type { Signer } from '../../ports/signer.ts'
import { decodeBase64, encodeBase64 } from '../../receiver/base64.ts'

const ALGORITHM = { name: 'Ed25519' }
const PUBLIC_KEY_BYTES = 32
const SALT_BYTES = 16
const encoder = new TextEncoder()

export const webCryptoSigner: Signer = {
  async createKey() {
    // The union type of `generateKey` includes a single key, which Ed25519 never gives.
    const pair = (await crypto.subtle.generateKey(ALGORITHM, true, [
      'sign',
      'verify',
    ])) as webcrypto.CryptoKeyPair
    const [publicKey, privateKey] = await Promise.all([
      crypto.subtle.exportKey('raw', pair.publicKey) as Promise<ArrayBuffer>,
      crypto.subtle.exportKey('pkcs8', pair.privateKey) as Promise<ArrayBuffer>,
    ])
    return {
      publicKey: encodeBase64(new Uint8Array(publicKey)),
      privateKey: encodeBase64(new Uint8Array(privateKey)),
    }
  },

  async sign(privateKey, text) {
    const bytes = decodeBase64(privateKey)
    if (bytes === null) throw new Error('The private key of the ledger is not base64.')
    const key = await crypto.subtle.importKey('pkcs8', bytes, ALGORITHM, false, ['sign'])
    return encodeBase64(new Uint8Array(await crypto.subtle.sign(ALGORITHM, key, encoder.encode(text))))
  },

  async verify(publicKey, text, signature) {
    const bytes = decodeBase64(publicKey)
    const signed = decodeBase64(signature)
    if (bytes?.length !== PUBLIC_KEY_BYTES || signed === null) return false
    const key = await crypto.subtle.importKey('raw', bytes, ALGORITHM, false, ['verify'])
    return crypto.subtle.verify(ALGORITHM, key, signed, encoder.encode(text))
  },

  newSalt() {
    if (used === random.length) {
      crypto.getRandomValues(random)
      used = 0
    }
    used += SALT_BYTES
    return hexOf(random.subarray(used - SALT_BYTES, used))
  },
}

/** A call for each salt takes ten times as long as the rest of it. */
const random = new Uint8Array(256 * SALT_BYTES)
let used = random.length
