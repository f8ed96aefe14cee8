// The SMTP channel with TLS.
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { SMTPServerOptions } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCertificate } from './support/certificate.ts'
import { mailDelivery, never } from './support/fixtures.ts'
import { delivered, useSmtp } from './support/smtp-channel.ts'

const trusted = makeCertificate('localhost')
const unknown = makeCertificate('localhost')
const misnamed = makeCertificate('mail.example.com')
const before = getCACertificates('default')

beforeAll(() => setDefaultCACertificates([...before, trusted.cert, misnamed.cert]))
afterAll(() => setDefaultCACertificates(before))

const { server, smtp } = useSmtp()
const send = (url: string) => smtp(url).deliver(mailDelivery(), never)

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
    expect(await send(`smtp://ada:pass@localhost:${mailServer.port}`)).toEqual(delivered)
    expect(mailServer.arrivals).toMatchObject([{ secure: true, user: 'ada' }])
  })

  it('uses STARTTLS without a login too, if the server offers it', async () => {
    const mailServer = await server(trusted)
    expect(await send(`smtp://localhost:${mailServer.port}`)).toEqual(delivered)
    expect(mailServer.arrivals).toMatchObject([{ secure: true }])
    expect(await send(`smtp://localhost:${mailServer.port}?tls=off`)).toEqual(delivered)
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
    const result = await send(`smtp://ada:pass@localhost:${mailServer.port}`)
    expect(result).toMatchObject({ kind: 'transient' })
    expect(tried).toEqual([])
    expect(mailServer.arrivals).toEqual([])
  })

  it.each([
    ['of an unknown authority', unknown],
    ['for another host', misnamed],
  ])('rejects a certificate %s', async (_, certificate) => {
    const implicit = await server({ secure: true, ...certificate })
    expect(await send(`smtps://localhost:${implicit.port}`)).toEqual(badCertificate)
    const upgraded = await server(certificate)
    expect(await send(`smtp://localhost:${upgraded.port}`)).toEqual(badCertificate)
    expect([...implicit.arrivals, ...upgraded.arrivals]).toEqual([])
  })

  it('reports an error if the server does not speak TLS', async () => {
    const mailServer = await server({})
    expect(await send(`smtps://localhost:${mailServer.port}`)).toMatchObject({
      kind: 'transient',
      error: expect.stringMatching(/^CONNECTION: /),
    })
  })
})
