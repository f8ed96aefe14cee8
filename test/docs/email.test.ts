import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { composeMail } from '../../src/channels/email/mail.ts'
import { parseMailSender } from '../../src/channels/email/mail-sender.ts'
import { writeMime } from '../../src/channels/email/mime.ts'
import { resend } from '../../src/channels/email/resend.ts'
import { readFailure } from '../../src/channels/email/smtp-reply.ts'
import { parseSmtpUrl } from '../../src/channels/email/smtp-url.ts'
import { mailDelivery } from '../channels/email/support/fixtures.ts'

const page = readFileSync(new URL('../../docs/email.md', import.meta.url), 'utf8')

function found(pattern: RegExp): string[] {
  const matches = [...page.matchAll(pattern)].map((match) => match[1]!)
  expect(matches).not.toEqual([])
  return matches
}

describe('the page about e-mail', () => {
  it('shows a mail as it is sent', async () => {
    const delivery = mailDelivery(
      {
        to: 'zoe@example.com',
        toName: 'Zoë Müller',
        subject: 'Alles Gute, Zoë',
        text: 'Alles Gute, Zoë!',
        html: '<p>Alles Gute, Zoë!</p>',
      },
      'event-9f86d081884c7d659a2feaa0c55ad015',
    )
    const [settings] = found(/```json\n([\s\S]*?)```/g)
    const sender = parseMailSender({ replyTo: null, ...JSON.parse(settings!) })
    if (!sender.ok) throw new Error(sender.problems[0]!.message)
    const composed = composeMail(delivery, sender.value)
    if (!composed.ok) throw new Error(composed.error)
    const [shown] = found(/```eml\n([\s\S]*?)```/g)
    expect((await writeMime(composed.mail)).toString().replaceAll('\r\n', '\n')).toBe(shown)
  })

  it('shows addresses of mail servers that do what it says', () => {
    const rows = found(/^\| `(smtps?:\/\/[^`]+)` \|/gm).map((url) => parseSmtpUrl(url))
    expect(rows).toMatchObject([
      { tls: 'always', port: 465, login: {} },
      { tls: 'require', port: 587, login: {} },
      { tls: 'auto', port: 587, login: null },
      { tls: 'require', login: null },
      { tls: 'off', port: 25, login: null },
    ])
  })

  it('names the responses that concern the settings, and the responses that do not', () => {
    const [logins] = found(/the login fails \(([\d, ]+)\)/g)
    for (const code of logins!.split(', ').map(Number))
      expect(readFailure({ responseCode: code, command: 'MAIL FROM' })).toMatchObject({
        kind: 'transient',
        statusCode: 535,
      })
    const { read } = resend({ baseUrl: '', apiKey: '' })
    const [retried] = found(/Resend responds with ([\d, ]+) or 5xx \| retried/g)
    const [rejected] = found(/Resend responds with (401 or 403) \| the channel is `PAUSED`/g)
    for (const statusCode of `${retried} ${rejected} 503`.match(/\d+/g)!.map(Number))
      expect(read({ statusCode, retryAfterMs: null, text: '' })).toMatchObject({
        kind: 'transient',
        statusCode,
      })
    const [name] = found(/409 `(\w+)` \| retried/g)
    const busy = { statusCode: 409, retryAfterMs: null, text: JSON.stringify({ name }) }
    expect(read(busy)).toMatchObject({ kind: 'transient' })
    expect(read({ ...busy, text: '' })).toMatchObject({ kind: 'permanent' })
  })
})
