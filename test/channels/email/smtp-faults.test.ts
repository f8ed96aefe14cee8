// The SMTP channel against a scripted server that fails.
import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { mailDelivery, never } from './support/fixtures.ts'
import { type Script, startScript } from './support/mail-server.ts'
import { delivered, useSmtp } from './support/smtp-channel.ts'

const { scripted, smtp } = useSmtp()
const hang = () => {}
const drop = (socket: Socket) => socket.destroy()

const broken = { kind: 'transient', error: expect.stringMatching(/^CONNECTION: /), statusCode: null }

describe('the SMTP channel', () => {
  it('reports a refused connection as transient', async () => {
    const gone = await startScript({})
    await gone.close()
    expect(await smtp(gone.port).deliver(mailDelivery(), never)).toEqual({
      ...broken,
      error: 'CONNECTION: ECONNREFUSED',
    })
  })

  it.each<[what: string, script: Script, result: object]>([
    ['drops the connection at CONNECT', { CONNECT: drop }, broken],
    ['drops the connection at EHLO', { EHLO: drop }, broken],
    ['drops the connection at MAIL', { MAIL: drop }, broken],
    ['drops the connection at RCPT', { RCPT: drop }, broken],
    ['drops the connection at DATA', { DATA: drop }, broken],
    [
      'greets with 554, which is not about the mail',
      { CONNECT: '554 5.7.1 your address is on a list' },
      { kind: 'transient', error: 'SMTP 554 5.7.1', statusCode: 554 },
    ],
    [
      'does not speak SMTP, without quoting it',
      { CONNECT: 'HTTP/1.1 400 ada@example.com' },
      { kind: 'transient', error: expect.not.stringContaining('ada') },
    ],
  ])('reports a transient error if the server %s', async (_, script, result) => {
    const mailServer = await scripted(script)
    expect(await smtp(mailServer.port).deliver(mailDelivery(), never)).toMatchObject(result)
  })

  it.each(['CONNECT', 'EHLO', 'MAIL', 'RCPT', 'DATA', '.'])(
    'closes the connection at the deadline if the server hangs at %s',
    async (command) => {
      const mailServer = await scripted({ [command]: hang })
      const channel = smtp(mailServer.port, { timeoutMs: 150 })
      const started = Date.now()
      const results = await Promise.all([
        channel.deliver(mailDelivery(), never),
        channel.deliver(mailDelivery(), never),
      ])
      for (const result of results)
        expect(result).toEqual({
          kind: 'transient',
          error: 'TIMEOUT: no response within 150 ms',
          statusCode: null,
        })
      // Generous for a busy machine: without the deadline, the client waits two minutes for a connection.
      expect(Date.now() - started).toBeLessThan(15_000)
      await mailServer.untilGone()
    },
  )

  it('applies one deadline to the whole exchange if the server trickles', async () => {
    const mailServer = await scripted({
      EHLO: (socket) => {
        const trickle = setInterval(() => socket.write('250-more\r\n'), 10)
        socket.on('close', () => clearInterval(trickle))
      },
    })
    expect(await smtp(mailServer.port, { timeoutMs: 200 }).deliver(mailDelivery(), never)).toEqual({
      kind: 'transient',
      error: 'TIMEOUT: no response within 200 ms',
      statusCode: null,
    })
  })

  it('starts a new deadline for each mail on one slow connection', async () => {
    const mailServer = await scripted({ '.': (socket) => setTimeout(() => socket.write('250 ok\r\n'), 200) })
    const channel = smtp(mailServer.port, { timeoutMs: 1_000 })
    for (let i = 0; i < 6; i++) expect(await channel.deliver(mailDelivery(), never)).toEqual(delivered)
    expect(mailServer.heard.filter((command) => command === 'EHLO')).toHaveLength(1)
  })

  it('reports a transient error, without resending, if the server drops the connection after the mail', async () => {
    const mailServer = await scripted({ '.': drop })
    expect(await smtp(mailServer.port).deliver(mailDelivery(), never)).toMatchObject({
      kind: 'transient',
      statusCode: null,
    })
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(mailServer.heard.filter((command) => command === '.')).toHaveLength(1)
  })

  it('sends the next mail on a new connection if the server replies 421 and closes', async () => {
    const replies = ['421 4.3.2 closing', '250 ok']
    const mailServer = await scripted({
      MAIL: (socket) => {
        const reply = replies.shift()!
        socket.write(`${reply}\r\n`)
        if (reply.startsWith('421')) socket.end()
      },
    })
    const channel = smtp(mailServer.port)
    // The second mail waits for the connection that the first one loses.
    const [first, second] = await Promise.all([
      channel.deliver(mailDelivery(), never),
      channel.deliver(mailDelivery(), never),
    ])
    expect(first).toMatchObject({ kind: 'transient', statusCode: 421 })
    expect(second).toEqual(delivered)
  })

  it('sends the next mail on a new connection if the server closed an idle one', async () => {
    const mailServer = await scripted({
      '.': (socket) => {
        socket.write('250 2.0.0 taken\r\n')
        setTimeout(() => socket.end('421 4.4.2 idle for too long\r\n'), 20)
      },
    })
    const channel = smtp(mailServer.port)
    expect(await channel.deliver(mailDelivery(), never)).toEqual(delivered)
    await mailServer.untilGone()
    expect(await channel.deliver(mailDelivery(), never)).toEqual(delivered)
    expect(mailServer.heard.filter((command) => command === 'EHLO')).toHaveLength(2)
  })

  it('reports 535 and sends no mail if a login is configured and the server offers none', async () => {
    const mailServer = await scripted({})
    const result = await smtp(mailServer.port, { login: 'ada:pass@' }).deliver(mailDelivery(), never)
    expect(result).toMatchObject({ kind: 'transient', statusCode: 535 })
    expect(mailServer.heard).not.toContain('MAIL')
  })

  it('sends the next mail on a new connection if the server rejects a mail and then the reset', async () => {
    const replies = ['550 5.1.1 no', '250 ok']
    const mailServer = await scripted({
      RCPT: (socket) => socket.write(`${replies.shift()}\r\n`),
      RSET: '500 never heard of it',
    })
    const channel = smtp(mailServer.port)
    expect(await channel.deliver(mailDelivery(), never)).toMatchObject({ kind: 'permanent' })
    expect(await channel.deliver(mailDelivery(), never)).toEqual(delivered)
    expect(mailServer.heard.filter((command) => command === 'EHLO')).toHaveLength(2)
  })
})

describe('a mail that the server rejects', () => {
  it('stays rejected if the server then hangs at the reset', async () => {
    const mailServer = await scripted({ RCPT: '550 5.1.1 no', RSET: hang })
    expect(await smtp(mailServer.port, { timeoutMs: 150 }).deliver(mailDelivery(), never)).toEqual({
      kind: 'permanent',
      error: 'SMTP 550 5.1.1',
      statusCode: 550,
    })
    await mailServer.untilGone()
  })
})

describe('the envelope of a mail', () => {
  it('has an internationalized domain in ASCII', async () => {
    const lines: string[] = []
    const listen = (socket: Socket, line: string) => {
      lines.push(line)
      socket.write('250 ok\r\n')
    }
    const mailServer = await scripted({ MAIL: listen, RCPT: listen })
    await smtp(mailServer.port).deliver(mailDelivery({ to: 'ada@bücher.example' }), never)
    expect(lines).toEqual(['MAIL FROM:<hello@example.com>', 'RCPT TO:<ada@xn--bcher-kva.example>'])
  })
})

describe('stopping the SMTP channel', () => {
  it('aborts the mail in flight and the waiting mails, and sends none of them later', async () => {
    const stop = new AbortController()
    const mailServer = await scripted({
      RCPT: (socket) => (stop.signal.aborted ? socket.write('250 ok\r\n') : stop.abort()),
    })
    const channel = smtp(mailServer.port)
    const deliveries = [1, 2, 3].map((i) => channel.deliver(mailDelivery({}, `event-${i}`), stop.signal))
    const givenUp = { kind: 'transient', error: 'CONNECTION: given up', statusCode: null }
    expect(await Promise.all(deliveries)).toEqual([givenUp, givenUp, givenUp])
    expect(await channel.deliver(mailDelivery(), stop.signal)).toEqual(givenUp)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(mailServer.heard.filter((command) => command === 'MAIL')).toHaveLength(1)
    expect(mailServer.heard).not.toContain('.')
    // A delivery that is not aborted gets a connection.
    expect(await channel.deliver(mailDelivery(), never)).toEqual(delivered)
  })

  it('returns at once if the delivery is already aborted while all connections are busy', async () => {
    const mailServer = await scripted({ RCPT: hang })
    const channel = smtp(mailServer.port, { timeoutMs: 500 })
    const stuck = channel.deliver(mailDelivery(), never)
    const late = channel.deliver(mailDelivery(), AbortSignal.abort())
    expect(await Promise.race([stuck, late])).toMatchObject({ error: 'CONNECTION: given up' })
    await stuck
  })

  it('on close, finishes the mail in flight and the waiting mails, then closes every connection', async () => {
    const mailServer = await scripted({ RCPT: (socket) => setTimeout(() => socket.write('250 ok\r\n'), 50) })
    const channel = smtp(mailServer.port)
    const deliveries = [channel.deliver(mailDelivery(), never), channel.deliver(mailDelivery(), never)]
    await mailServer.untilHeard('RCPT')
    await channel.close()
    expect(await Promise.all(deliveries)).toEqual([delivered, delivered])
    await mailServer.untilGone()
    expect(mailServer.heard.at(-1)).toBe('QUIT')
  })

  it('on close, sends QUIT on idle connections and closes them', async () => {
    const mailServer = await scripted({})
    const channel = smtp(mailServer.port, { connections: 2 })
    await Promise.all([channel.deliver(mailDelivery(), never), channel.deliver(mailDelivery(), never)])
    expect(mailServer.sockets()).toBe(2)
    await channel.close()
    await mailServer.untilGone()
    expect(mailServer.heard.filter((command) => command === 'QUIT')).toHaveLength(2)
  })
})
