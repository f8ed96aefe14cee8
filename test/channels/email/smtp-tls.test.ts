import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { SMTPServerOptions } from 'smtp-server'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { parseMailbox } from '../../../src/channels/email/address.ts'
import { createSmtp } from '../../../src/channels/email/smtp.ts'
import { parseSmtpUrl } from '../../../src/channels/email/smtp-url.ts'
import type { Channel } from '../../../src/ports/channel.ts'
import { makeCertificate } from './support/certificate.ts'
import { clock, mailDelivery, never } from './support/fixtures.ts'
import { startMailServer } from './support/mail-server.ts'

const trusted = makeCertificate('localhost')
const unknown = makeCertificate('localhost')
const misnamed = makeCertificate('mail.example.com')
const before = getCACertificates('default')
const cleanups: (() => Promise<unknown>)[] = []

beforeAll(() => setDefaultCACertificates([...before, trusted.cert, misnamed.cert]))
afterAll(() => setDefaultCACertificates(before))
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function server(options: SMTPServerOptions) {
  const started = await startMailServer(options)
  cleanups.push(() => started.close())
  return started
}

function smtp(url: string): Channel {
  const channel = createSmtp(clock, {
    server: parseSmtpUrl(url)!,
    from: parseMailbox('hello@example.com')!,
    replyTo: null,
    listUnsubscribe: null,
    timeoutMs: 5_000,
    connections: 2,
  })
  cleanups.push(() => channel.close())
  return channel
}

const delivered = { kind: 'delivered', statusCode: 250 }
const badCertificate = { kind: 'transient', error: 'CONNECTION: CERTIFICATE', statusCode: null }
const login: SMTPServerOptions = {
  authOptional: false,
  onAuth: ({ password }, _, callback) =>
    password === 'pass' ? callback(null, { user: 'ada' }) : callback(new Error('no')),
}

describe('SMTP with TLS', () => {
  it('encrypts from the first byte by smtps', async () => {
    const far = await server({ secure: true, ...trusted, ...login })
    const channel = smtp(`smtps://ada:pass@localhost:${far.port}`)
    expect(await channel.deliver(mailDelivery(), never)).toEqual(delivered)
    expect(await channel.deliver(mailDelivery(), never)).toEqual(delivered)
    expect(far.arrivals).toMatchObject([
      { secure: true, user: 'ada' },
      { secure: true, user: 'ada' },
    ])
    expect(far.connections()).toBe(1)
  })

  it('turns to TLS by STARTTLS before it logs in', async () => {
    const far = await server({ ...trusted, ...login })
    expect(await smtp(`smtp://ada:pass@localhost:${far.port}`).deliver(mailDelivery(), never)).toEqual(
      delivered,
    )
    expect(far.arrivals).toMatchObject([{ secure: true, user: 'ada' }])
  })

  it('turns to TLS without a login too, wherever the server can', async () => {
    const far = await server(trusted)
    expect(await smtp(`smtp://localhost:${far.port}`).deliver(mailDelivery(), never)).toEqual(delivered)
    expect(far.arrivals).toMatchObject([{ secure: true }])
    expect(await smtp(`smtp://localhost:${far.port}?tls=off`).deliver(mailDelivery(), never)).toEqual(
      delivered,
    )
    expect(far.arrivals[1]).toMatchObject({ secure: false })
  })

  it('sends no password and no mail in the clear where TLS is missing', async () => {
    const tried: unknown[] = []
    const far = await server({
      allowInsecureAuth: true,
      onAuth: (auth, _, callback) => {
        tried.push(auth)
        callback(null, { user: 'ada' })
      },
    })
    const result = await smtp(`smtp://ada:pass@localhost:${far.port}`).deliver(mailDelivery(), never)
    expect(result).toMatchObject({ kind: 'transient' })
    expect(tried).toEqual([])
    expect(far.arrivals).toEqual([])
  })

  it.each([
    ['that nobody vouches for', unknown],
    ['of another host', misnamed],
  ])('refuses a certificate %s', async (_, certificate) => {
    const implicit = await server({ secure: true, ...certificate })
    expect(await smtp(`smtps://localhost:${implicit.port}`).deliver(mailDelivery(), never)).toEqual(
      badCertificate,
    )
    const upgraded = await server(certificate)
    expect(await smtp(`smtp://localhost:${upgraded.port}`).deliver(mailDelivery(), never)).toEqual(
      badCertificate,
    )
    expect([...implicit.arrivals, ...upgraded.arrivals]).toEqual([])
  })

  it('gives up on a server that does not speak TLS', async () => {
    const far = await server({})
    expect(await smtp(`smtps://localhost:${far.port}`).deliver(mailDelivery(), never)).toMatchObject({
      kind: 'transient',
      error: expect.stringMatching(/^CONNECTION: /),
    })
  })
})
