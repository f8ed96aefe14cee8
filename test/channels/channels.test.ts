// The four channels under the channel contract.
import { createNodeDial } from '../../src/channels/dial/node-dial.ts'
import { parseMailbox } from '../../src/channels/email/address.ts'
import { createMailApi } from '../../src/channels/email/provider.ts'
import { resend } from '../../src/channels/email/resend.ts'
import { createSmtp } from '../../src/channels/email/smtp.ts'
import { parseSmtpUrl } from '../../src/channels/email/smtp-url.ts'
import { createFetchWebhook } from '../../src/channels/webhook/fetch-webhook.ts'
import { createWebhook } from '../../src/channels/webhook/webhook.ts'
import type { Channel } from '../../src/ports/channel.ts'
import { type Behaviour, describeChannelContract, type TestReceiver } from '../contracts/channel.contract.ts'
import { mailDelivery } from './email/support/fixtures.ts'
import { startMailServer, startScript } from './email/support/mail-server.ts'
import { createTestClock, SECRET } from './webhook/support/fixtures.ts'
import { answers, type Misdeed, says, startHostileSink } from './webhook/support/hostile-sink.ts'

const clock = createTestClock()
const dial = createNodeDial('any')
const delivery = mailDelivery()
const API_KEY = 're_confidential'
const PASSWORD = 'hunter2'
const PERSON = ['Ada', 'ada@example.com', 'birthday']
const MAIL = {
  from: parseMailbox('Terce <hello@example.com>')!,
  replyTo: null,
  listUnsubscribe: null,
}

/** Quotes the person, the body and every secret, as a careless receiver does. */
const QUOTES = `Ada <ada@example.com> birthday ${SECRET} ${API_KEY} ${PASSWORD}`

const HTTP: Readonly<Record<Behaviour, Misdeed>> = {
  accepts: answers('200 OK'),
  hangs: {},
  unavailable: says(
    [
      `HTTP/1.1 503 ${QUOTES}`,
      'retry-after: 120',
      `content-length: ${QUOTES.length + 14}`,
      '',
      JSON.stringify({ message: QUOTES }),
    ].join('\r\n'),
  ),
}

async function startHttp(behaviour: Behaviour, open: (url: string) => Channel): Promise<TestReceiver> {
  const sink = await startHostileSink(HTTP[behaviour])
  const channel = open(sink.url)
  return {
    channel,
    received: async () => sink.requests.map(({ body }) => body.toString('base64')),
    isReached: () => sink.requests.length > 0,
    connections: sink.connections,
    close: async () => {
      await channel.close()
      await sink.close()
    },
  }
}

async function startSmtp(behaviour: Behaviour, timeoutMs: number): Promise<TestReceiver> {
  const mails = behaviour === 'accepts' ? await startMailServer() : null
  const script =
    mails === null
      ? await startScript({ '.': behaviour === 'hangs' ? () => {} : `451 4.3.0 ${QUOTES}` })
      : null
  const channel = createSmtp(
    { clock, dial },
    {
      ...MAIL,
      server: parseSmtpUrl(`smtp://127.0.0.1:${(mails ?? script!).port}?tls=off`)!,
      timeoutMs,
      connections: 1,
    },
  )
  return {
    channel,
    received: async () => (mails?.arrivals ?? []).map(({ raw }) => raw.toString('base64')),
    isReached: () => script?.heard.includes('.') ?? false,
    connections: () => mails?.open() ?? script!.sockets(),
    close: async () => {
      await channel.close()
      await mails?.close()
      await script?.close()
    },
  }
}

describeChannelContract('the webhook by undici', {
  start: (behaviour, timeoutMs) =>
    startHttp(behaviour, (url) =>
      createWebhook({ clock, dial }, { url, timeoutMs, connections: 1, secrets: [SECRET] }),
    ),
  delivery,
  confidential: [...PERSON, SECRET],
  retryAfterMs: 120_000,
  sharesConnections: null,
})

const SHARED = 'leaves the connections of fetch open: the process shares them'

describeChannelContract('the webhook by fetch', {
  start: (behaviour, timeoutMs) =>
    startHttp(behaviour, (url) => createFetchWebhook({ clock, dial }, { url, timeoutMs, secrets: [SECRET] })),
  delivery,
  confidential: [...PERSON, SECRET],
  retryAfterMs: 120_000,
  sharesConnections: SHARED,
})

describeChannelContract('the mail API', {
  start: (behaviour, timeoutMs) =>
    startHttp(behaviour, (url) =>
      createMailApi({ clock, dial }, resend({ baseUrl: url, apiKey: API_KEY }), { ...MAIL, timeoutMs }),
    ),
  delivery,
  confidential: [...PERSON, API_KEY],
  retryAfterMs: 120_000,
  sharesConnections: SHARED,
})

describeChannelContract('SMTP', {
  start: startSmtp,
  delivery,
  confidential: [...PERSON, PASSWORD],
  retryAfterMs: null,
  sharesConnections: null,
})
