// Ed25519 by WebCrypto, compared with RFC 8032 and with node:crypto.
import { createPublicKey, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { webCryptoSigner } from '../../../src/runtimes/config/signer.ts'

/** The start of every Ed25519 key in PKCS #8, before its 32 bytes. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64')

describe('the signer', () => {
  it('gives the signatures of RFC 8032, section 7.1, tests 1 and 2', async () => {
    const vectors = [
      {
        secret: '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
        publicKey: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
        text: '',
        signature:
          'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
      },
      {
        secret: '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
        publicKey: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
        text: 'r',
        signature:
          '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
      },
    ]
    for (const { secret, publicKey, text, signature } of vectors) {
      const privateKey = Buffer.concat([PKCS8, Buffer.from(secret, 'hex')]).toString('base64')
      expect(await webCryptoSigner.sign(privateKey, text)).toBe(base64(signature))
      expect(await webCryptoSigner.verify(base64(publicKey), text, base64(signature))).toBe(true)
    }
  })

  it('signs with a new key what node:crypto verifies, in UTF-8', async () => {
    const { publicKey, privateKey } = await webCryptoSigner.createKey()
    const signature = await webCryptoSigner.sign(privateKey, 'Grüße 🎂')
    const x = Buffer.from(publicKey, 'base64').toString('base64url')
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    expect(verify(null, Buffer.from('Grüße 🎂'), key, Buffer.from(signature, 'base64'))).toBe(true)
  })

  it('rejects another text, another key, and a key or signature that is none', async () => {
    const { publicKey, privateKey } = await webCryptoSigner.createKey()
    const other = await webCryptoSigner.createKey()
    const signature = await webCryptoSigner.sign(privateKey, 'a')
    expect(await webCryptoSigner.verify(publicKey, 'a', signature)).toBe(true)
    expect(await webCryptoSigner.verify(publicKey, 'b', signature)).toBe(false)
    expect(await webCryptoSigner.verify(other.publicKey, 'a', signature)).toBe(false)
    expect(await webCryptoSigner.verify('', 'a', signature)).toBe(false)
    expect(await webCryptoSigner.verify(publicKey, 'a', '')).toBe(false)
    expect(await webCryptoSigner.verify(publicKey, 'a', '?')).toBe(false)
  })

  it('makes another key and another salt each time', async () => {
    const keys = await Promise.all([webCryptoSigner.createKey(), webCryptoSigner.createKey()])
    expect(keys[0].privateKey).not.toBe(keys[1].privateKey)
    const salts = Array.from({ length: 1_000 }, () => webCryptoSigner.newSalt())
    expect(new Set(salts).size).toBe(1_000)
    for (const salt of salts) expect(salt).toMatch(/^[0-9a-f]{32}$/)
  })
})
