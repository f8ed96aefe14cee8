// What a failed exchange with a mail server means for a delivery. Takes codes from it, never its words: servers quote
// addresses.
import type { DeliveryResult } from '../../ports/channel.ts'

/** What nodemailer says of a failure. Its own code is the same for "never" and "not now"; the server's tells. */
type SmtpFailure = {
  code?: unknown
  responseCode?: unknown
  response?: unknown
  command?: unknown
  message?: unknown
}

/** The status under which every refusal to log us in is reported: the mail is not at fault, the settings are. */
export const LOGIN_REFUSED = 535

/** Log in first, mechanism too weak, wrong credentials, not without encryption. */
const ABOUT_THE_LOGIN = new Set([530, 534, 535, 538])
/** Only an answer to these is about the one mail. A 5xx to a greeting is about us, and would fail everybody's. */
const ABOUT_THE_MAIL = new Set(['MAIL FROM', 'RCPT TO', 'DATA'])

export function readFailure(failure: SmtpFailure): DeliveryResult {
  const { code, responseCode } = failure
  if (typeof responseCode !== 'number') return withoutAnswer(failure)
  const error = `SMTP ${responseCode}${enhancedCode(failure.response)}`
  const permanent = responseCode >= 500
  if (permanent && (code === 'EAUTH' || ABOUT_THE_LOGIN.has(responseCode))) {
    return { kind: 'transient', error, statusCode: LOGIN_REFUSED }
  }
  const aboutTheMail = ABOUT_THE_MAIL.has(String(failure.command))
  if (permanent && aboutTheMail) return { kind: 'permanent', error, statusCode: responseCode }
  // A full mailbox or a greylisting says nothing of the server.
  const about = failure.command === 'RCPT TO' ? ({ about: 'event' } as const) : {}
  return { kind: 'transient', error, statusCode: responseCode, ...about }
}

function withoutAnswer({ code, message }: SmtpFailure): DeliveryResult {
  if (code === 'EAUTH') {
    const error = 'SMTP: the server offers no login that we can use'
    return { kind: 'transient', error, statusCode: LOGIN_REFUSED }
  }
  if (code === 'EMESSAGE') {
    const error = 'TOO_LARGE: the server takes no mail of this size. Shorten it.'
    return { kind: 'permanent', error, statusCode: null }
  }
  return { kind: 'transient', error: `CONNECTION: ${reasonOf(code, message)}`, statusCode: null }
}

function reasonOf(code: unknown, message: unknown): string {
  // The code of a certificate that is not trusted is lost on the way, and an operator has to know.
  if (/certificate/i.test(String(message))) return 'CERTIFICATE'
  return typeof code === 'string' ? code : 'failed'
}

/** ` 5.1.1` of `550 5.1.1 <ada@example.com>: no such user`; '' when there is none. */
function enhancedCode(response: unknown): string {
  const found = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})/.exec(String(response))
  return found === null ? '' : ` ${found[1]}`
}
