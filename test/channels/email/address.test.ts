// Parsing and formatting of mailboxes.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatMailbox, isOneLine, parseMailbox } from '../../../src/channels/email/address.ts'

describe('a mailbox', () => {
  it.each([
    ['hello@example.com', '', 'hello@example.com'],
    ['Terce <hello@example.com>', 'Terce', '"Terce" <hello@example.com>'],
    [' Grüße & Co. <hello@example.com> ', 'Grüße & Co.', '"Grüße & Co." <hello@example.com>'],
    ['"Lovelace, Ada" <ada@example.com>', 'Lovelace, Ada', '"Lovelace, Ada" <ada@example.com>'],
    ['"Ada \\"A\\" L" <ada@example.com>', 'Ada "A" L', '"Ada \\"A\\" L" <ada@example.com>'],
    ['<hello@example.com>', '', 'hello@example.com'],
  ])('%s is parsed and formatted', (text, name, written) => {
    const mailbox = parseMailbox(text)!
    expect(mailbox.name).toBe(name)
    expect(formatMailbox(mailbox)).toBe(written)
  })

  it.each([
    'Terce',
    'Terce <hello>',
    'Terce <hello@example.com',
    'a <a@example.com>, b <b@example.com>',
    'Te\r\nBcc: bob@example.com\r\nrce <hello@example.com>',
    'Te\u2028rce <hello@example.com>',
    'Te\u0007rce <hello@example.com>',
  ])('%j is rejected', (text) => {
    expect(parseMailbox(text)).toBeNull()
  })

  it('has its name inside the quotes, for any name', () => {
    const address = { local: 'ada', domain: 'example.com' }
    const names = fc.string({ unit: 'grapheme', minLength: 1 }).filter(isOneLine)
    fc.assert(
      fc.property(names, (name) => {
        const written = formatMailbox({ name, address })
        const [, quoted = ''] = /^"((?:[^"\\]|\\.)*)" <ada@example\.com>$/u.exec(written) ?? []
        expect(quoted.replace(/\\(.)/gu, '$1')).toBe(name)
      }),
    )
  })
})
