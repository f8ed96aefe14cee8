// Delivers by SMTP, on connections kept open. One deadline covers an exchange from connecting to the server's last reply.

import { isKept, responseFromText } from '../../domain/events/exchange.ts'
import { MissingPackageError } from '../../domain/optional-package.ts'
import { formatAddress } from '../../domain/users/email-address.ts'
import type { Channel, Delivery, DeliveryResult } from '../../ports/channel.ts'
import type { Clock } from '../../ports/clock.ts'
import { forbiddenResult } from '../dial/dial.ts'
import type { NodeDial } from '../dial/node-dial.ts'
import { composeMail, type Mail } from './mail.ts'
import type { MailSender } from './mail-sender.ts'
import { writeMime } from './mime.ts'
import { loadNodemailer, type Nodemailer } from './nodemailer.ts'
import { SmtpPool } from './smtp-pool.ts'
import { readFailure } from './smtp-reply.ts'
import { SessionCut, SmtpSession } from './smtp-session.ts'
import type { SmtpServer } from './smtp-url.ts'

type SmtpSettings = MailSender & {
  server: SmtpServer
  /** For one mail. Starts when the mail has a connection; waiting for a connection is not counted. */
  timeoutMs: number
  connections: number
}

const STOPPED = 'CONNECTION: given up'

export function createSmtp(deps: { clock: Clock; dial: NodeDial }, settings: SmtpSettings): Channel {
  const { clock, dial } = deps
  const { server, timeoutMs, connections } = settings
  let loaded: Nodemailer | null = null
  // A session is created for a mail, and nodemailer is loaded by then.
  const pool = new SmtpPool(() => new SmtpSession(loaded!, dial, server, timeoutMs), connections)

  async function deliver(delivery: Delivery, signal: AbortSignal): Promise<DeliveryResult> {
    const composed = composeMail(delivery, settings)
    if (!composed.ok) return { kind: 'permanent', error: composed.error, statusCode: null }
    try {
      loaded ??= await loadNodemailer()
    } catch (error) {
      if (!(error instanceof MissingPackageError)) throw error
      // Released, so that nothing is lost once the package is installed.
      return { kind: 'transient', error: `CHANNEL_UNUSABLE: ${error.message}`, statusCode: null }
    }
    const bytes = await writeMime(composed.mail)
    const session = await pool.take(signal)
    if (session === null) return givenUp(STOPPED)
    const onStop = () => session.cut(STOPPED)
    const onDeadline = () => session.cut(`TIMEOUT: no response within ${timeoutMs} ms`)
    const deadline = clock.after(timeoutMs, onDeadline)
    signal.addEventListener('abort', onStop, { once: true })
    if (signal.aborted) onStop()
    try {
      const { result, reply } = await exchange(session, composed.mail, bytes)
      if (reply !== null && isKept(delivery.keepResponses ?? 'none', result.kind === 'delivered'))
        result.response = responseFromText([], reply)
      return result
    } finally {
      deadline.cancel()
      signal.removeEventListener('abort', onStop)
      pool.give(session)
    }
  }

  return { destination: addressOf(server), deliver, close: async () => pool.close() }
}

/** Without the login. */
function addressOf({ host, port, tls }: SmtpServer): string {
  const name = host.includes(':') ? `[${host}]` : host
  return `${tls === 'always' ? 'smtps' : 'smtp'}://${name}:${port}`
}

/** `reply`: the last reply of the server, which can quote an address. */
type Exchanged = { result: DeliveryResult; reply: string | null }

async function exchange(session: SmtpSession, mail: Mail, bytes: Buffer): Promise<Exchanged> {
  const envelope = { from: formatAddress(mail.from.address), to: formatAddress(mail.to.address) }
  try {
    const reply = await session.send(envelope, bytes)
    return { result: { kind: 'delivered', statusCode: 250 }, reply }
  } catch (error) {
    if (error instanceof SessionCut) return { result: givenUp(error.message), reply: null }
    const forbidden = forbiddenResult(error)
    if (forbidden !== null) return { result: forbidden, reply: null }
    // After a rejected mail the connection can be used again. If the reset fails, only the connection is lost.
    await session.reset().catch(() => session.cut('cannot be reset'))
    const { response } = error as { response?: unknown }
    return { result: readFailure(error as Error), reply: typeof response === 'string' ? response : null }
  }
}

function givenUp(error: string): DeliveryResult {
  return { kind: 'transient', error, statusCode: null }
}
