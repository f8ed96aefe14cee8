// Turns an SMTP failure into a delivery result. Uses the codes of a reply, never its text: servers quote addresses.
import type { DeliveryResult } from '../../ports/channel.ts'

/** An error of nodemailer. Only `responseCode`, from the server, distinguishes permanent from transient failures. */
type SmtpFailure = {
  code?: unknown
  responseCode?: unknown
  response?: unknown
  command?: unknown
  message?: unknown
}

/** The status that every failed login is reported as: the channel's settings are at fault, not the mail. */
const LOGIN_REJECTED = 535

/** Authentication required, mechanism too weak, wrong credentials, encryption required. */
const ABOUT_THE_LOGIN = new Set([530, 534, 535, 538])
/** The service is not available and closes the connection. */
const SHUTTING_DOWN = 421
/** Only a reply to these commands is about the mail. A 5xx to the greeting is about the client, and must fail no event. */
const ABOUT_THE_MAIL = new Set(['MAIL FROM', 'RCPT TO', 'DATA'])

export function readFailure(failure: SmtpFailure): DeliveryResult {
  const { code, responseCode } = failure
  if (typeof responseCode !== 'number') return withoutReply(failure)
  const error = `SMTP ${responseCode}${enhancedCode(failure.response)}`
  const permanent = responseCode >= 500
  if (permanent && (code === 'EAUTH' || ABOUT_THE_LOGIN.has(responseCode))) {
    return { kind: 'transient', error, statusCode: LOGIN_REJECTED }
  }
  const aboutTheMail = ABOUT_THE_MAIL.has(String(failure.command))
  if (permanent && aboutTheMail) return { kind: 'permanent', error, statusCode: responseCode }
  // A full mailbox or greylisting says nothing about the server's health. 421 does, in reply to any command.
  const isAboutRecipient = failure.command === 'RCPT TO' && responseCode !== SHUTTING_DOWN
  const about = isAboutRecipient ? ({ about: 'event' } as const) : {}
  return { kind: 'transient', error, statusCode: responseCode, ...about }
}

function withoutReply({ code, message }: SmtpFailure): DeliveryResult {
  if (code === 'EAUTH') {
    const error = 'SMTP: the server offers no login that we can use'
    return { kind: 'transient', error, statusCode: LOGIN_REJECTED }
  }
  if (code === 'EMESSAGE') {
    const error = 'TOO_LARGE: the server takes no mail of this size. Shorten it.'
    return { kind: 'permanent', error, statusCode: null }
  }
  return { kind: 'transient', error: `CONNECTION: ${reasonOf(code, message)}`, statusCode: null }
}

function reasonOf(code: unknown, message: unknown): string {
  // nodemailer drops the code of a certificate error, which an operator needs.
  if (/certificate/i.test(String(message))) return 'CERTIFICATE'
  return typeof code === 'string' ? code : 'failed'
}

/** ` 5.1.1` of `550 5.1.1 <ada@example.com>: no such user`; '' when there is none. */
function enhancedCode(response: unknown): string {
  const found = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})/.exec(String(response))
  return found === null ? '' : ` ${found[1]}`
}
