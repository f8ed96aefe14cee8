// Composing a mail, its sender, the URL of a mail server, and the meaning of SMTP failures.
import { describe, expect, it } from 'vitest'
import { parseMailbox } from '../../../src/channels/email/address.ts'
import { composeMail, type Mail } from '../../../src/channels/email/mail.ts'
import { parseMailSender } from '../../../src/channels/email/mail-sender.ts'
import { writeMime } from '../../../src/channels/email/mime.ts'
import { readFailure } from '../../../src/channels/email/smtp-reply.ts'
import { parseSmtpUrl } from '../../../src/channels/email/smtp-url.ts'
import { decodeWords } from './support/encoded-words.ts'
import { mailDelivery } from './support/fixtures.ts'

const settings = {
  from: parseMailbox('Terce <hello@bücher.example>')!,
  replyTo: null,
  listUnsubscribe: null,
}

function composed(changes: Parameters<typeof mailDelivery>[0], listUnsubscribe: string | null = null): Mail {
  const result = composeMail(mailDelivery(changes), { ...settings, listUnsubscribe })
  if (!result.ok) throw new Error(result.error)
  return result.mail
}

function rejection(changes: Parameters<typeof mailDelivery>[0]) {
  const result = composeMail(mailDelivery(changes), settings)
  return result.ok ? null : result.error
}

describe('the mail of an event', () => {
  it('has a Message-ID of the idempotency key and the domain of the sender', () => {
    expect(composed({})).toMatchObject({
      key: 'event-0123456789abcdef',
      messageId: '<event-0123456789abcdef@xn--bcher-kva.example>',
    })
  })

  it('has the date on which its body was frozen, at every attempt', () => {
    const changes = { targetTimestampUTC: '2026-11-15T09:00:00.000Z', lateBySeconds: 90 }
    expect(new Date(composed(changes).writtenAt).toISOString()).toBe('2026-11-15T09:01:30.000Z')
  })

  it.each(['a\rb', 'a\nb', 'a\r\nb', 'a\n\rb'])('has CRLF line ends only: %j', (text) => {
    expect(composed({ text, html: text }).text).toMatch(/^a(\r\n)+b$/)
    expect(composed({ text, html: text }).html).toMatch(/^a(\r\n)+b$/)
  })

  it.each([
    [{ to: 'ada@example.com\r\nRCPT TO:<bob@example.com>' }, 'INVALID_ADDRESS'],
    [{ to: 'ada@example.com, bob@example.com' }, 'INVALID_ADDRESS'],
    [{ toName: 'Ada\r\nBcc: bob@example.com' }, 'INVALID_NAME'],
    [{ toName: 'Ada\u0000' }, 'INVALID_NAME'],
    [{ subject: 'Hi\r\nBcc: bob@example.com' }, 'INVALID_SUBJECT'],
    [{ subject: 'Hi\rthere' }, 'INVALID_SUBJECT'],
    [{ subject: 'Hi\nthere' }, 'INVALID_SUBJECT'],
    [{ subject: 'Hi\u0085there' }, 'INVALID_SUBJECT'],
    [{ subject: 'Hi\u2029there' }, 'INVALID_SUBJECT'],
    [{ subject: 'x'.repeat(501) }, 'INVALID_SUBJECT'],
    [{ subject: undefined }, 'NOT_A_MAIL'],
  ])(
    'is rejected if a field could inject a header, with a code and without quoting the field: %j',
    (changes, code) => {
      const error = rejection(changes)
      expect(error).toMatch(new RegExp(`^${code}: `))
      expect(error).not.toMatch(/ada|bob|Hi/)
    },
  )

  it('shows an encoded-word in a name or a subject as it was written', async () => {
    const word = '=?utf-8?Q?=0D=0ABcc:_bob@example.com?='
    const source = String(await writeMime(composed({ toName: `${word} "Ada"`, subject: `For ${word}` })))
    const headers = source.slice(0, source.indexOf('\r\n\r\n')).replaceAll('\r\n ', ' ')
    expect(headers).not.toContain('=?utf-8?Q?=0D')
    expect(headers).not.toContain('bob@example.com')
    for (const name of ['To', 'Subject']) {
      const [, encoded = ''] = new RegExp(`^${name}: (.*)$`, 'm').exec(headers) ?? []
      expect(decodeWords(encoded).replaceAll('\u2060', '')).toContain(word)
    }
  })

  it('has the unsubscribe link of its channel, with one-click unsubscribe for https', () => {
    const link = 'https://example.com/stop?u={userId}'
    expect(composed({ userId: 'u/1>' }, link).headers).toMatchObject({
      'List-Unsubscribe': '<https://example.com/stop?u=u%2F1%3E>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    })
    const byMail = composed({}, 'mailto:stop@example.com?subject={userId}').headers
    expect(byMail['List-Unsubscribe']).toBe('<mailto:stop@example.com?subject=u1>')
    expect(byMail).not.toHaveProperty('List-Unsubscribe-Post')
    expect(composed({}).headers).not.toHaveProperty('List-Unsubscribe')
  })
})

describe('the sender of a channel', () => {
  const input = { from: 'Terce <hello@example.com>', replyTo: null, listUnsubscribe: null }
  const problemsOf = (changes: Partial<Parameters<typeof parseMailSender>[0]>) => {
    const parsed = parseMailSender({ ...input, ...changes })
    return parsed.ok ? [] : parsed.problems.map(({ field, code }) => `${field} ${code}`)
  }

  it('is accepted with and without a reply-to address and an unsubscribe link', () => {
    expect(parseMailSender(input)).toMatchObject({ ok: true, value: { from: { name: 'Terce' } } })
    expect(problemsOf({ replyTo: 'help@example.com' })).toEqual([])
  })

  it('is rejected with every problem at once', () => {
    const wrong = { from: 'Terce', replyTo: 'help', listUnsubscribe: 'example.com' }
    expect(problemsOf(wrong)).toEqual([
      'from INVALID_EMAIL',
      'replyTo INVALID_EMAIL',
      'listUnsubscribe INVALID_LINK',
    ])
  })

  it.each([
    'https://example.com/stop/{userId}',
    'http://example.com/',
    'mailto:stop@example.com?subject={userId}',
  ])('may have the unsubscribe link %s', (listUnsubscribe) =>
    expect(problemsOf({ listUnsubscribe })).toEqual([]),
  )

  it.each([
    'example.com/stop',
    'javascript:alert(1)',
    'https://example.com:99999/',
    'https://example.com/{name}',
    'https://example.com/a b',
    'https://example.com/>,<https://evil.example',
    'https://example.com/\r\nBcc:bob@example.com',
    'https://bücher.example/',
    `https://example.com/${'x'.repeat(400)}`,
  ])('must not have the unsubscribe link %j', (listUnsubscribe) =>
    expect(problemsOf({ listUnsubscribe })).toEqual(['listUnsubscribe INVALID_LINK']),
  )
})

describe('the URL of a mail server', () => {
  it.each([
    ['smtp://mail.example.com', { host: 'mail.example.com', port: 587, tls: 'auto', login: null }],
    ['smtps://mail.example.com', { host: 'mail.example.com', port: 465, tls: 'always', login: null }],
    ['smtp://[::1]:2525/?tls=off', { host: '::1', port: 2525, tls: 'off', login: null }],
    ['smtp://mail.example.com?tls=require', { tls: 'require', login: null }],
    ['smtp://ada:p%40ss@mail.example.com', { tls: 'require', login: { user: 'ada', password: 'p@ss' } }],
    ['smtp://a%40b:x@mail.example.com:25?tls=auto', { tls: 'auto', login: { user: 'a@b', password: 'x' } }],
    ['smtps://ada:pass@mail.example.com:1465', { port: 1465, tls: 'always' }],
  ])('%s is accepted', (text, server) => {
    expect(parseSmtpUrl(text)).toMatchObject(server)
  })

  it.each([
    'mail.example.com',
    'https://mail.example.com',
    'smtp://',
    'smtp://ada@mail.example.com',
    'smtp://:pass@mail.example.com',
    'smtp://ada:%zz@mail.example.com',
    'smtp://mail.example.com/path',
    'smtp://mail.example.com?tls=maybe',
    'smtp://mail.example.com?tls=off&tls=require',
    'smtp://mail.example.com?pool=true',
    'smtps://mail.example.com?tls=off',
  ])('%s is rejected', (text) => {
    expect(parseSmtpUrl(text)).toBeNull()
  })
})

describe('an SMTP failure', () => {
  it.each([
    [{ code: 'EENVELOPE', responseCode: 451, command: 'RCPT TO' }, 'transient', 451],
    [{ code: 'EENVELOPE', responseCode: 550, command: 'RCPT TO' }, 'permanent', 550],
    [{ code: 'EENVELOPE', responseCode: 553, command: 'MAIL FROM' }, 'permanent', 553],
    [{ code: 'EMESSAGE', responseCode: 554, command: 'DATA' }, 'permanent', 554],
    [{ code: 'EMESSAGE', responseCode: 452, command: 'DATA' }, 'transient', 452],
    [{ code: 'EPROTOCOL', responseCode: 554, command: 'CONN' }, 'transient', 554],
    [{ code: 'EAUTH', responseCode: 535, command: 'AUTH PLAIN' }, 'transient', 535],
    [{ code: 'EAUTH', responseCode: 534, command: 'AUTH PLAIN' }, 'transient', 535],
    [{ code: 'EAUTH', responseCode: 454, command: 'AUTH PLAIN' }, 'transient', 454],
    [{ code: 'EENVELOPE', responseCode: 530, command: 'MAIL FROM' }, 'transient', 535],
    [{ code: 'EAUTH' }, 'transient', 535],
    [{ code: 'EMESSAGE' }, 'permanent', null],
    [{ code: 'ETIMEDOUT' }, 'transient', null],
    [{}, 'transient', null],
  ])('%j is %s', (failure, kind, statusCode) => {
    expect(readFailure(failure)).toMatchObject({ kind, statusCode })
  })

  it.each([
    [451, 'the event', true],
    [421, 'the server', false],
  ])('with the reply %i to RCPT TO is attributed to %s', (responseCode, _, isEvent) => {
    const failure = readFailure({ code: 'EENVELOPE', responseCode, command: 'RCPT TO' })
    expect('about' in failure).toBe(isEvent)
  })

  it.each([
    ['550 5.1.1 <ada@example.com>: no such user', 'SMTP 550 5.1.1'],
    ['550-5.7.26 ada@example.com\n550 5.7.26 more', 'SMTP 550 5.7.26'],
    ['550 ada@example.com is not here', 'SMTP 550'],
    ['550 5.1.1.9 is not one', 'SMTP 550 5.1.1'],
  ])('is reported by its codes, without the text of the reply: %j', (response, error) => {
    const message = `rejected: ${response}`
    expect(readFailure({ responseCode: 550, response, message, command: 'RCPT TO' })).toMatchObject({ error })
  })
})
