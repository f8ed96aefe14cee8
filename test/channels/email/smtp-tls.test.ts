// The SMTP channel with TLS.
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { SMTPServerOptions } from 'smtp-server'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createNodeDial } from '../../../src/channels/dial/node-dial.ts'
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
  const channel = createSmtp(
    { clock, dial: createNodeDial('any') },
    {
      server: parseSmtpUrl(url)!,
      from: parseMailbox('hello@example.com')!,
      replyTo: null,
      listUnsubscribe: null,
      timeoutMs: 5_000,
      connections: 2,
    },
  )
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
  it('encrypts from the first byte for smtps', async () => {
    const mailServer = await server({ secure: true, ...trusted, ...login })
    const channel = smtp(`smtps://ada:pass@localhost:${mailServer.port}`)
    expect(await channel.deliver(mailDelivery(), never)).toEqual(delivered)
    expect(await channel.deliver(mailDelivery(), never)).toEqual(delivered)
    expect(mailServer.arrivals).toMatchObject([
      { secure: true, user: 'ada' },
      { secure: true, user: 'ada' },
    ])
    expect(mailServer.connections()).toBe(1)
  })

  it('uses STARTTLS before it logs in', async () => {
    const mailServer = await server({ ...trusted, ...login })
    expect(await smtp(`smtp://ada:pass@localhost:${mailServer.port}`).deliver(mailDelivery(), never)).toEqual(
      delivered,
    )
    expect(mailServer.arrivals).toMatchObject([{ secure: true, user: 'ada' }])
  })

  it('uses STARTTLS without a login too, if the server offers it', async () => {
    const mailServer = await server(trusted)
    expect(await smtp(`smtp://localhost:${mailServer.port}`).deliver(mailDelivery(), never)).toEqual(
      delivered,
    )
    expect(mailServer.arrivals).toMatchObject([{ secure: true }])
    expect(await smtp(`smtp://localhost:${mailServer.port}?tls=off`).deliver(mailDelivery(), never)).toEqual(
      delivered,
    )
    expect(mailServer.arrivals[1]).toMatchObject({ secure: false })
  })

  it('sends neither a password nor a mail unencrypted if the server has no TLS', async () => {
    const tried: unknown[] = []
    const mailServer = await server({
      allowInsecureAuth: true,
      onAuth: (auth, _, callback) => {
        tried.push(auth)
        callback(null, { user: 'ada' })
      },
    })
    const result = await smtp(`smtp://ada:pass@localhost:${mailServer.port}`).deliver(mailDelivery(), never)
    expect(result).toMatchObject({ kind: 'transient' })
    expect(tried).toEqual([])
    expect(mailServer.arrivals).toEqual([])
  })

  it.each([
    ['of an unknown authority', unknown],
    ['for another host', misnamed],
  ])('rejects a certificate %s', async (_, certificate) => {
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

  it('reports an error if the server does not speak TLS', async () => {
    const mailServer = await server({})
    expect(await smtp(`smtps://localhost:${mailServer.port}`).deliver(mailDelivery(), never)).toMatchObject({
      kind: 'transient',
      error: expect.stringMatching(/^CONNECTION: /),
    })
  })
})
