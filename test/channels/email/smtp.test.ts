// The SMTP channel against a real mail server.
import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { parseMailbox } from '../../../src/channels/email/address.ts'
import { mailDelivery, never } from './support/fixtures.ts'
import { readMail, rejection } from './support/mail-server.ts'
import { delivered, useSmtp } from './support/smtp-channel.ts'

const { server, smtp } = useSmtp({
  from: parseMailbox('Terce <hello@example.com>')!,
  replyTo: parseMailbox('Hilfe für alle <help@example.com>'),
  listUnsubscribe: 'https://example.com/stop/{userId}',
  connections: 4,
})

describe('a mail sent by SMTP', () => {
  it('has the reply of the server, if the delivery keeps it', async () => {
    const { port } = await server()
    const result = await smtp(port).deliver({ ...mailDelivery(), keepResponses: 'all' }, never)
    const response = { headers: {}, body: expect.stringMatching(/^250 OK/), shortened: false }
    expect(result).toEqual({ ...delivered, response })
  })

  it('arrives with its text, names and headers', async () => {
    const mailServer = await server()
    expect(await smtp(mailServer.port).deliver(mailDelivery(), never)).toEqual(delivered)
    const [arrived] = mailServer.arrivals
    expect(arrived).toMatchObject({ from: 'hello@example.com', to: ['ada@example.com'], user: undefined })
    const mail = await readMail(arrived!)
    expect(mail).toMatchObject({
      from: { name: 'Terce', address: 'hello@example.com' },
      to: [{ name: 'Ada Lovelace', address: 'ada@example.com' }],
      replyTo: [{ name: 'Hilfe für alle', address: 'help@example.com' }],
      subject: 'Happy birthday, Ada',
      messageId: '<event-0123456789abcdef@example.com>',
      date: '2026-11-15T09:00:00.000Z',
    })
    expect(mail.text!.trim()).toBe("Hey, Ada Lovelace it's your birthday")
    expect(mail.html!.trim()).toBe("<p>Hey, Ada Lovelace it's your birthday</p>")
    const headers = Object.fromEntries(mail.headers.map(({ key, value }) => [key, value]))
    expect(headers).toMatchObject({
      'x-idempotency-key': 'event-0123456789abcdef',
      'list-unsubscribe': '<https://example.com/stop/u1>',
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      'auto-submitted': 'auto-generated',
    })
  })

  it('differs in key and boundary from the mail of another event', async () => {
    const mailServer = await server()
    const channel = smtp(mailServer.port)
    await channel.deliver(mailDelivery({}, 'event-1'), never)
    await channel.deliver(mailDelivery({}, 'event-2'), never)
    const found = (pattern: RegExp) => mailServer.arrivals.map(({ raw }) => pattern.exec(raw.toString())![1])
    expect(new Set(found(/boundary="([^"]+)"/)).size).toBe(2)
    expect(found(/^Message-ID: (.*)\r$/im)).toEqual(['<event-1@example.com>', '<event-2@example.com>'])
  })

  it.each([
    'Grüße aus Zürich 🎂',
    '誕生日おめでとうございます、エイダさん。今日も一日、どうぞお元気でお過ごしください。',
    `${'long '.repeat(90)}subject`,
    'x'.repeat(500),
    'Ünï "quoted", <angled>; @ & (commented)',
  ])('encodes a subject and a name in ASCII headers: %s', async (words) => {
    const mailServer = await server()
    const toName = words.slice(0, 200).trim()
    await smtp(mailServer.port).deliver(mailDelivery({ subject: words, toName }), never)
    const [arrived] = mailServer.arrivals
    const mail = await readMail(arrived!)
    expect(mail.subject).toBe(words)
    expect(mail.to).toEqual([{ name: toName, address: 'ada@example.com' }])
    const head = arrived!.raw.toString('latin1').split('\r\n\r\n')[0]!
    expect(head).toMatch(/^[\x20-\x7e\r\n\t]*$/)
  })

  it.each([
    ['dots alone on a line', '.\r\n..\r\n.hidden\r\nend.\r\n.'],
    ['what looks like the end and a command', 'a\r\n.\r\nMAIL FROM:<eve@example.com>\r\n.\r\nb'],
    ['lines longer than SMTP allows', `${'word '.repeat(1_000)}\r\n${'x'.repeat(3_000)}`],
    ['letters beyond ASCII', 'Grüße 🎂\r\n日本語\r\n'],
    ['spaces at the end of lines', 'a  \r\n b\t\r\n'],
    ['a line that begins like a header', 'From me\r\nFrom you\r\n--\r\n-- \r\n'],
    ['equals signs and soft line ends', 'a=3D=\r\nb='],
  ])('carries %s', async (_, text) => {
    const mailServer = await server()
    const html = `<pre>${text}</pre>`
    expect(await smtp(mailServer.port).deliver(mailDelivery({ text, html }), never)).toEqual(delivered)
    expect(mailServer.arrivals).toHaveLength(1)
    const mail = await readMail(mailServer.arrivals[0]!)
    expect(lines(mail.text!)).toEqual(lines(text))
    expect(lines(mail.html!)).toEqual(lines(html))
    const wire = mailServer.arrivals[0]!.raw.toString('latin1')
    expect(Math.max(...wire.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998)
    expect(wire).not.toMatch(/[^\r]\n|\r[^\n]/)
  })

  it('is not sent if it cannot be composed, such as with a line break in the address', async () => {
    const mailServer = await server()
    const injected = mailDelivery({ to: 'ada@example.com>\r\nRCPT TO:<bob@example.com' })
    expect(await smtp(mailServer.port).deliver(injected, never)).toMatchObject({
      kind: 'permanent',
      error: expect.stringMatching(/^INVALID_ADDRESS: /),
    })
    expect(mailServer.connections()).toBe(0)
  })
})

/** The lines of a text, without the line end that every mail has at its end. */
function lines(text: string): string[] {
  return text.replace(/(\r?\n)+$/, '').split(/\r?\n/)
}

describe('the connections to the mail server', () => {
  it('are kept open and shared, and never more than `connections`', async () => {
    const mailServer = await server()
    const channel = smtp(mailServer.port, { connections: 2 })
    const keys = Array.from({ length: 40 }, (_, i) => `event-${i}`)
    const { signal } = new AbortController()
    const results = await Promise.all(keys.map((key) => channel.deliver(mailDelivery({}, key), signal)))
    expect(results).toEqual(keys.map(() => delivered))
    expect(mailServer.connections()).toBe(2)
    const ids = await Promise.all(
      mailServer.arrivals.map(async (arrived) => (await readMail(arrived)).messageId),
    )
    expect(ids.sort()).toEqual(keys.map((key) => `<${key}@example.com>`).sort())
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('are replaced after a hundred mails', async () => {
    const mailServer = await server()
    const channel = smtp(mailServer.port, { connections: 1 })
    for (let i = 0; i < 101; i++) expect(await channel.deliver(mailDelivery(), never)).toEqual(delivered)
    const counts = Map.groupBy(mailServer.arrivals, ({ connection }) => connection)
    expect([...counts.values()].map((mails) => mails.length)).toEqual([100, 1])
  })

  it('log in once per connection, not once per mail', async () => {
    let logins = 0
    const mailServer = await server({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _, callback) => {
        logins += 1
        if (username === 'ada@b' && password === 'p:ss') callback(null, { user: username })
        else callback(new Error('no'))
      },
    })
    const channel = smtp(mailServer.port, { login: 'ada%40b:p%3Ass@' })
    for (let i = 0; i < 3; i++) expect(await channel.deliver(mailDelivery(), never)).toEqual(delivered)
    expect(logins).toBe(1)
    expect(mailServer.arrivals.map(({ user }) => user)).toEqual(['ada@b', 'ada@b', 'ada@b'])
  })
})

describe('a mail server that rejects', () => {
  it.each([
    [451, '4.7.1 Greylisted, ada@example.com', 'transient', 'SMTP 451 4.7.1'],
    [452, 'ada@example.com is over quota', 'transient', 'SMTP 452'],
    [550, '5.1.1 <ada@example.com>: no such user', 'permanent', 'SMTP 550 5.1.1'],
    [553, 'ada@example.com', 'permanent', 'SMTP 553'],
  ])(
    'a recipient or a mail with %i %s gives a %s result without the text of the reply',
    async (code, words, kind, error) => {
      const replies = [rejection(code, words), null]
      const mailServer = await server({ onRcptTo: (_, __, callback) => callback(replies.shift()) })
      const channel = smtp(mailServer.port, { connections: 1 })
      const about = kind === 'transient' ? { about: 'event' } : {}
      const rejected = { kind, error, statusCode: code, ...about }
      expect(await channel.deliver(mailDelivery(), never)).toEqual(rejected)
      // The rejection was about one mail: the next one is sent on the same connection.
      expect(await channel.deliver(mailDelivery(), never)).toEqual(delivered)
      expect(mailServer.connections()).toBe(1)
      const late = await server({
        onData: (stream, _, callback) => {
          stream.resume()
          stream.on('end', () => callback(rejection(code, words)))
        },
      })
      expect(await smtp(late.port).deliver(mailDelivery(), never)).toEqual({ kind, error, statusCode: code })
    },
  )

  it('a login gives a transient 535, so that the channel is held', async () => {
    const mailServer = await server({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_, __, callback) => callback(rejection(535, '5.7.8 ada and her password are not known')),
    })
    const channel = smtp(mailServer.port, { login: 'ada:wrong@', connections: 1 })
    const rejected = { kind: 'transient', error: 'SMTP 535 5.7.8', statusCode: 535 }
    expect(await channel.deliver(mailDelivery(), never)).toEqual(rejected)
    expect(await channel.deliver(mailDelivery(), never)).toEqual(rejected)
  })

  it('a mail without a login gives a transient 535', async () => {
    const mailServer = await server({ authOptional: false, allowInsecureAuth: true })
    expect(await smtp(mailServer.port).deliver(mailDelivery(), never)).toMatchObject({
      kind: 'transient',
      statusCode: 535,
    })
  })

  it('a mail that is too large gives a permanent error, before the mail is sent', async () => {
    const mailServer = await server({ size: 2_000 })
    const result = await smtp(mailServer.port).deliver(mailDelivery({ text: 'x'.repeat(3_000) }), never)
    expect(result).toMatchObject({ kind: 'permanent', error: expect.stringMatching(/^TOO_LARGE: /) })
    expect(mailServer.arrivals).toEqual([])
  })
})
