// The vault: encrypted secrets differ each time, and a changed, foreign or unknown text is rejected.
import { describe, expect, it } from 'vitest'
import { createVault, newSecret, parseSecretKeys } from '../../../src/runtimes/config/vault.ts'

const KEY = Buffer.alloc(32, 7)
const OTHER_KEY = Buffer.alloc(32, 8)
const vault = createVault([KEY])

/** The place of a secret: it opens nowhere else. */
const HERE = 'channel-1'

const partsOf = (sealed: string) => sealed.split('.') as [string, string, string, string]

describe('the vault', () => {
  it('opens a secret that it sealed, in a process that has the same key', () => {
    for (const secret of ['', 'whsec_c2VjcmV0', 'Grüße 🎂', 'x'.repeat(10_000)])
      expect(createVault([Buffer.from(KEY)]).open(vault.seal(secret, HERE), HERE)).toBe(secret)
  })

  it('never uses a nonce twice: AES-GCM reveals the key stream to a reader of two such texts', () => {
    const sealed = Array.from({ length: 1_000 }, () => partsOf(vault.seal('one secret', HERE)))
    expect(new Set(sealed.map(([, , nonce]) => nonce)).size).toBe(1_000)
    expect(new Set(sealed.map(([, , , body]) => body)).size).toBe(1_000)
    for (const [, , nonce] of sealed) expect(Buffer.from(nonce, 'base64url')).toHaveLength(12)
  })

  it('rejects a text with any bit flipped, in the nonce, the secret or the authentication tag', () => {
    const [version, keyId, nonce, body] = partsOf(vault.seal('a secret', HERE))
    const flipped = (text: string) => {
      const bytes = Buffer.from(text, 'base64url')
      return Array.from({ length: bytes.length * 8 }, (_, bit) => {
        const copy = Buffer.from(bytes)
        copy[bit >> 3]! ^= 1 << (bit & 7)
        return copy.toString('base64url')
      })
    }
    const damaged = [
      ...flipped(nonce).map((other) => [version, keyId, other, body]),
      ...flipped(body).map((other) => [version, keyId, nonce, other]),
    ]
    expect(damaged).toHaveLength((12 + 'a secret'.length + 16) * 8)
    for (const parts of damaged) expect(() => vault.open(parts.join('.'), HERE)).toThrow()
  })

  it('rejects a text that was cut short or has another form', () => {
    const sealed = vault.seal('a secret', HERE)
    const [version, keyId, nonce, body] = partsOf(sealed)
    for (const text of [
      '',
      'a secret',
      sealed.replace(/^v2/, 'v1'),
      sealed.replace(/^v2/, 'v3'),
      [version, keyId, nonce].join('.'),
      [version, keyId, nonce, ''].join('.'),
      [version, keyId, nonce, body.slice(0, -4)].join('.'),
    ])
      expect(() => vault.open(text, HERE), text).toThrow()
  })

  it('names TERCE_SECRET_KEY when a secret was sealed with another key', () => {
    const other = createVault([OTHER_KEY])
    expect(() => other.open(vault.seal('a secret', HERE), HERE)).toThrow('TERCE_SECRET_KEY')
  })

  it('rejects a secret that was moved to another channel, and says so', () => {
    const sealed = vault.seal('a secret', HERE)
    for (const elsewhere of ['channel-2', '', `${HERE} https://example.com`])
      expect(() => vault.open(sealed, elsewhere)).toThrow('belongs to another channel')
  })

  it('keeps the secret and the key out of the sealed text', () => {
    const sealed = vault.seal('whsec_visible', HERE)
    for (const encoding of ['utf8', 'hex', 'base64', 'base64url'] as const) {
      expect(sealed).not.toContain(Buffer.from('whsec_visible').toString(encoding))
      expect(sealed).not.toContain(KEY.toString(encoding))
    }
  })
})

describe('a vault with a new key and the previous one', () => {
  const rotating = createVault([OTHER_KEY, KEY])

  it('opens secrets of both keys, and seals with the new one only', () => {
    const sealed = rotating.seal('new', HERE)
    expect(createVault([OTHER_KEY]).open(sealed, HERE)).toBe('new')
    expect(() => vault.open(sealed, HERE)).toThrow('TERCE_SECRET_KEY')
    expect(rotating.open(vault.seal('old', HERE), HERE)).toBe('old')
  })

  it('knows which secrets only the previous key opens', () => {
    expect(rotating.isCurrent(rotating.seal('new', HERE))).toBe(true)
    expect(rotating.isCurrent(vault.seal('old', HERE))).toBe(false)
  })
})

describe('a key for the vault', () => {
  it.each([
    ['base64, as openssl prints it', KEY.toString('base64')],
    ['base64 without padding', KEY.toString('base64').replace('=', '')],
    ['base64url', Buffer.alloc(32, 0xfb).toString('base64url')],
  ])('may be written in %s', (_, text) => {
    expect(parseSecretKeys(text)).toMatchObject([{ length: 32 }])
  })

  it.each([
    ['31 bytes', Buffer.alloc(31).toString('base64')],
    ['33 bytes', Buffer.alloc(33).toString('base64')],
    ['hexadecimal', KEY.toString('hex')],
    ['a passphrase', 'correct horse battery staple'],
    ['nothing', ''],
  ])('is rejected if it is %s', (_, text) => {
    expect(parseSecretKeys(text)).toBeUndefined()
  })
})

it('a new signing secret has 256 random bits', () => {
  const secrets = Array.from({ length: 100 }, newSecret)
  expect(new Set(secrets).size).toBe(100)
  for (const secret of secrets) expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(32)
})
