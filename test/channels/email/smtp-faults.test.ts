import type { Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { parseMailbox } from '../../../src/channels/email/address.ts'
import { createSmtp } from '../../../src/channels/email/smtp.ts'
import { parseSmtpUrl } from '../../../src/channels/email/smtp-url.ts'
import type { Channel } from '../../../src/ports/channel.ts'
import { clock, mailDelivery, never } from './support/fixtures.ts'
import { type Script, startScript } from './support/mail-server.ts'

const cleanups: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function scripted(script: Script) {
  const started = await startScript(script)
  cleanups.push(() => started.close())
  return started
}

function smtp(port: number, { timeoutMs = 5_000, connections = 1, login = '' } = {}): Channel {
  const channel = createSmtp(clock, {
    server: parseSmtpUrl(`smtp://${login}127.0.0.1:${port}?tls=off`)!,
    from: parseMailbox('hello@example.com')!,
    replyTo: null,
    listUnsubscribe: null,
    timeoutMs,
    connections,
  })
  cleanups.push(() => channel.close())
  return channel
}

const delivered = { kind: 'delivered', statusCode: 250 }
const hang = () => {}
const drop = (socket: Socket) => socket.destroy()

describe('a mail server that fails', () => {
  it('is down: to be tried again', async () => {
    const gone = await startScript({})
    await gone.close()
    expect(await smtp(gone.port).deliver(mailDelivery(), never)).toEqual({
      kind: 'transient',
      error: 'CONNECTION: ECONNREFUSED',
      statusCode: null,
    })
  })

  it.each(['CONNECT', 'EHLO', 'MAIL', 'RCPT', 'DATA', '.'])(
    'hangs at %s: given up within the deadline, and the connection with it',
    async (command) => {
      const far = await scripted({ [command]: hang })
      const channel = smtp(far.port, { timeoutMs: 150 })
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
      expect(Date.now() - started).toBeLessThan(2_000)
      await far.untilGone()
    },
  )

  it('trickles for ever: one deadline holds for the whole exchange', async () => {
    const far = await scripted({
      EHLO: (socket) => {
        const trickle = setInterval(() => socket.write('250-more\r\n'), 10)
        socket.on('close', () => clearInterval(trickle))
      },
    })
    expect(await smtp(far.port, { timeoutMs: 200 }).deliver(mailDelivery(), never)).toEqual({
      kind: 'transient',
      error: 'TIMEOUT: no response within 200 ms',
      statusCode: null,
    })
  })

  it('is slow, but not too slow: the deadline of one mail does not end the next', async () => {
    const far = await scripted({ '.': (socket) => setTimeout(() => socket.write('250 ok\r\n'), 200) })
    const channel = smtp(far.port, { timeoutMs: 1_000 })
    for (let i = 0; i < 6; i++) expect(await channel.deliver(mailDelivery(), never)).toEqual(delivered)
    expect(far.heard.filter((command) => command === 'EHLO')).toHaveLength(1)
  })

  it.each(['CONNECT', 'EHLO', 'MAIL', 'RCPT', 'DATA'])('drops the connection at %s', async (command) => {
    const far = await scripted({ [command]: drop })
    expect(await smtp(far.port).deliver(mailDelivery(), never)).toMatchObject({
      kind: 'transient',
      error: expect.stringMatching(/^CONNECTION: /),
      statusCode: null,
    })
  })

  it('drops the connection once it has the mail: nobody can know, so it is tried again, but not by stealth', async () => {
    const far = await scripted({ '.': drop })
    expect(await smtp(far.port).deliver(mailDelivery(), never)).toMatchObject({
      kind: 'transient',
      statusCode: null,
    })
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(far.heard.filter((command) => command === '.')).toHaveLength(1)
  })

  it('turns everybody away at the door: that is about us, not about the mail', async () => {
    const far = await scripted({ CONNECT: '554 5.7.1 your address is on a list' })
    expect(await smtp(far.port).deliver(mailDelivery(), never)).toEqual({
      kind: 'transient',
      error: 'SMTP 554 5.7.1',
      statusCode: 554,
    })
  })

  it('says 421 and closes: to be tried again on a new connection', async () => {
    const answers = ['421 4.3.2 closing', '250 ok']
    const far = await scripted({
      MAIL: (socket) => {
        const answer = answers.shift()!
        socket.write(`${answer}\r\n`)
        if (answer.startsWith('421')) socket.end()
      },
    })
    const channel = smtp(far.port)
    // The second waits for the connection that the first is about to lose.
    const [first, second] = await Promise.all([
      channel.deliver(mailDelivery(), never),
      channel.deliver(mailDelivery(), never),
    ])
    expect(first).toMatchObject({ kind: 'transient', statusCode: 421 })
    expect(second).toEqual(delivered)
  })

  it('closes a connection that is not in use: the next mail gets a new one', async () => {
    const far = await scripted({
      '.': (socket) => {
        socket.write('250 2.0.0 taken\r\n')
        setTimeout(() => socket.end('421 4.4.2 idle for too long\r\n'), 20)
      },
    })
    const channel = smtp(far.port)
    expect(await channel.deliver(mailDelivery(), never)).toEqual(delivered)
    await far.untilGone()
    expect(await channel.deliver(mailDelivery(), never)).toEqual(delivered)
    expect(far.heard.filter((command) => command === 'EHLO')).toHaveLength(2)
  })

  it('answers what is not SMTP', async () => {
    const far = await scripted({ CONNECT: 'HTTP/1.1 400 ada@example.com' })
    const result = await smtp(far.port).deliver(mailDelivery(), never)
    expect(result).toMatchObject({ kind: 'transient' })
    expect(JSON.stringify(result)).not.toContain('ada')
  })

  it('offers no login though one is set: reported as a refused login, and no mail is sent', async () => {
    const far = await scripted({})
    const result = await smtp(far.port, { login: 'ada:pass@' }).deliver(mailDelivery(), never)
    expect(result).toMatchObject({ kind: 'transient', statusCode: 535 })
    expect(far.heard).not.toContain('MAIL')
  })

  it('will not reset after a refusal: the next mail gets a new connection', async () => {
    const answers = ['550 5.1.1 no', '250 ok']
    const far = await scripted({
      RCPT: (socket) => socket.write(`${answers.shift()}\r\n`),
      RSET: '500 never heard of it',
    })
    const channel = smtp(far.port)
    expect(await channel.deliver(mailDelivery(), never)).toMatchObject({ kind: 'permanent' })
    expect(await channel.deliver(mailDelivery(), never)).toEqual(delivered)
    expect(far.heard.filter((command) => command === 'EHLO')).toHaveLength(2)
  })
})

describe('a refusal', () => {
  it('stands, even if the server then hangs instead of starting over', async () => {
    const far = await scripted({ RCPT: '550 5.1.1 no', RSET: hang })
    expect(await smtp(far.port, { timeoutMs: 150 }).deliver(mailDelivery(), never)).toEqual({
      kind: 'permanent',
      error: 'SMTP 550 5.1.1',
      statusCode: 550,
    })
    await far.untilGone()
  })
})

describe('the envelope', () => {
  it('names sender and recipient in ASCII, whatever the domain is written in', async () => {
    const lines: string[] = []
    const listen = (socket: Socket, line: string) => {
      lines.push(line)
      socket.write('250 ok\r\n')
    }
    const far = await scripted({ MAIL: listen, RCPT: listen })
    await smtp(far.port).deliver(mailDelivery({ to: 'ada@bücher.example' }), never)
    expect(lines).toEqual(['MAIL FROM:<hello@example.com>', 'RCPT TO:<ada@xn--bcher-kva.example>'])
  })
})

describe('the SMTP channel told to stop', () => {
  it('lets go of the mail it is sending and of those that wait, none of which is sent later', async () => {
    const stop = new AbortController()
    const far = await scripted({
      RCPT: (socket) => (stop.signal.aborted ? socket.write('250 ok\r\n') : stop.abort()),
    })
    const channel = smtp(far.port)
    const deliveries = [1, 2, 3].map((i) => channel.deliver(mailDelivery({}, `event-${i}`), stop.signal))
    const givenUp = { kind: 'transient', error: 'CONNECTION: given up', statusCode: null }
    expect(await Promise.all(deliveries)).toEqual([givenUp, givenUp, givenUp])
    expect(await channel.deliver(mailDelivery(), stop.signal)).toEqual(givenUp)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(far.heard.filter((command) => command === 'MAIL')).toHaveLength(1)
    expect(far.heard).not.toContain('.')
    // The connection that was cut is free for whoever is not told to stop.
    expect(await channel.deliver(mailDelivery(), never)).toEqual(delivered)
  })

  it('does not wait for a connection any more', async () => {
    const far = await scripted({ RCPT: hang })
    const channel = smtp(far.port, { timeoutMs: 500 })
    const stuck = channel.deliver(mailDelivery(), never)
    const late = channel.deliver(mailDelivery(), AbortSignal.abort())
    expect(await Promise.race([stuck, late])).toMatchObject({ error: 'CONNECTION: given up' })
    await stuck
  })

  it('ends what is under way when it is closed, and what waits, then leaves no connection behind', async () => {
    const far = await scripted({ RCPT: (socket) => setTimeout(() => socket.write('250 ok\r\n'), 50) })
    const channel = smtp(far.port)
    const deliveries = [channel.deliver(mailDelivery(), never), channel.deliver(mailDelivery(), never)]
    await far.untilHeard('RCPT')
    await channel.close()
    expect(await Promise.all(deliveries)).toEqual([delivered, delivered])
    await far.untilGone()
    expect(far.heard.at(-1)).toBe('QUIT')
  })

  it('says goodbye on the connections it kept, and leaves none behind', async () => {
    const far = await scripted({})
    const channel = smtp(far.port, { connections: 2 })
    await Promise.all([channel.deliver(mailDelivery(), never), channel.deliver(mailDelivery(), never)])
    expect(far.sockets()).toBe(2)
    await channel.close()
    await far.untilGone()
    expect(far.heard.filter((command) => command === 'QUIT')).toHaveLength(2)
  })
})
