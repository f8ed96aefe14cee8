// Which e-mail addresses are accepted, and in which spelling. Mails are sent to exactly the accepted ones.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatAddress, parseAddress } from '../../../src/domain/users/email-address.ts'

const longLabel = 'a'.repeat(63)

describe('an e-mail address', () => {
  it('is read the same way again, also after more domains than are kept', () => {
    const read = () => ['ada@Example.COM', 'ada@example', 'ada@192.0.2.1'].map(parseAddress)
    const first = read()
    expect(read()).toEqual(first)
    for (let i = 0; i < 500; i++) expect(parseAddress(`ada@d${i}.example`)?.domain).toBe(`d${i}.example`)
    expect(read()).toEqual([{ local: 'ada', domain: 'example.com' }, null, null])
  })

  it.each([
    ['ada@example.com', 'ada@example.com'],
    ['Ada.Lovelace+terce@Example.COM', 'Ada.Lovelace+terce@example.com'],
    ["o'hara_{x}@mail.example.co.uk", "o'hara_{x}@mail.example.co.uk"],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
    ['ada@例え.テスト', 'ada@xn--r8jz45g.xn--zckzah'],
    ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
    [`ada@${longLabel}.example`, `ada@${longLabel}.example`],
    ['ada@3com.example', 'ada@3com.example'],
  ])('%s is accepted', (text, address) => {
    expect(formatAddress(parseAddress(text)!)).toBe(address)
  })

  it.each([
    ['', 'nothing'],
    ['ada', 'no @'],
    ['@example.com', 'no local part'],
    ['ada@', 'no domain'],
    ['ada@example', 'no dot in the domain'],
    ['ada@example.com;bob', 'a semicolon'],
    ['a\u202eda@example.com', 'a direction control'],
    ['ada@exam\u200bple.com', 'an invisible space'],
    ['ada@@example.com', 'two @'],
    ['ada@b.example@c.example', 'two domains'],
    ['.ada@example.com', 'a dot at the start'],
    ['ada.@example.com', 'a dot at the end'],
    ['a..da@example.com', 'two dots'],
    ['"ada l"@example.com', 'a quoted name'],
    ['ada @example.com', 'a space'],
    ['ada@example.com ', 'a space after'],
    ['ada@example.com\r\nBcc: bob@example.com', 'another line'],
    ['ada@exam\tple.com', 'a tab, which URL would drop'],
    ['ada@exam\u0000ple.com', 'a NUL'],
    ['âda@example.com', 'letters that need SMTPUTF8'],
    ['ada@[192.0.2.1]', 'an IP literal'],
    ['ada@192.0.2.1', 'an IP address'],
    ['ada@0x7f.1', 'an IP address in hexadecimal'],
    ['ada@example.com:25', 'a port'],
    ['ada@example.com/x', 'a path'],
    ['ada@ex%61mple.com', 'an escape, which URL would decode'],
    ['ada@-example.com', 'a hyphen at the start'],
    ['ada@exam_ple.com', 'an underscore'],
    ['ada@example..com', 'an empty label'],
    ['ada@example.com.', 'a dot at the end of the domain'],
    [`${'a'.repeat(65)}@example.com`, '65 characters before the @'],
    [`ada@${'a'.repeat(64)}.example`, 'a label of 64 characters'],
    [`${'a'.repeat(64)}@${longLabel}.${longLabel}.${longLabel}`, '256 characters'],
    [`ada@${`${'ü'.repeat(45)}.`.repeat(5)}example`, 'more than 254 once it is written in ASCII'],
  ])('%j is rejected: %s', (text) => {
    expect(parseAddress(text)).toBeNull()
  })

  it('is one line of at most 254 ASCII characters, for any accepted input', () => {
    const near = fc.tuple(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.webAuthority())
    const given = fc.oneof(
      fc.emailAddress(),
      fc.string({ unit: 'binary' }),
      near.map(([a, b, host]) => `${a}@${b}.${host}`),
      near.map(([a, b, host]) => `ada@${a}${b}${host}`),
    )
    fc.assert(
      fc.property(given, (text) => {
        const address = parseAddress(text)
        if (address === null) return
        expect(formatAddress(address)).toMatch(/^[!-~]{3,254}$/)
        expect(parseAddress(formatAddress(address))).toEqual(address)
      }),
      { numRuns: 2_000 },
    )
  })
})
