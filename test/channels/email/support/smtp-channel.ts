// An SMTP channel and the mail servers of one test, which are closed after it.
import { afterEach } from 'vitest'
import { createNodeDial } from '../../../../src/channels/dial/node-dial.ts'
import { parseMailbox } from '../../../../src/channels/email/address.ts'
import { createSmtp } from '../../../../src/channels/email/smtp.ts'
import { parseSmtpUrl } from '../../../../src/channels/email/smtp-url.ts'
import type { Channel } from '../../../../src/ports/channel.ts'
import { clock } from './fixtures.ts'
import { type Script, startMailServer, startScript } from './mail-server.ts'

export const delivered = { kind: 'delivered', statusCode: 250 }

type Settings = Partial<Parameters<typeof createSmtp>[1]>

export function useSmtp(defaults: Settings = {}) {
  const cleanups: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  })
  async function closed<T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> {
    const started = await starting
    cleanups.push(() => started.close())
    return started
  }
  return {
    server: (options?: Parameters<typeof startMailServer>[0]) => closed(startMailServer(options)),
    scripted: (script: Script) => closed(startScript(script)),
    /** `to` is a URL, or the port of a server without TLS. */
    smtp(to: string | number, { login = '', ...settings }: Settings & { login?: string } = {}): Channel {
      const url = typeof to === 'string' ? to : `smtp://${login}127.0.0.1:${to}?tls=off`
      const channel = createSmtp(
        { clock, dial: createNodeDial('any') },
        {
          server: parseSmtpUrl(url)!,
          from: parseMailbox('hello@example.com')!,
          replyTo: null,
          listUnsubscribe: null,
          timeoutMs: 5_000,
          connections: 1,
          ...defaults,
          ...settings,
        },
      )
      cleanups.push(() => channel.close())
      return channel
    },
  }
}
