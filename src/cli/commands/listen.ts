// `terce listen`: a receiver for development. Prints a line for each message and forwards it to a local service.
import { once } from 'node:events'
import { InvalidArgumentError } from 'commander'
import { parseSecret, SECRET_REMEDY } from '../../receiver/secret.ts'
import { ConfigError } from '../../runtimes/config/config.ts'
import type { AddCommand, Entry } from '../entry.ts'
import { type ReceivedWebhook, startListener } from '../listener.ts'
import { untilStopped } from '../output/watch.ts'

type Options = { forwardTo?: string; secret?: string; port: number; show?: true; json?: true }

const HELP = `
Examples:
  terce listen --port 4000
  terce listen --port 4000 --forward-to http://localhost:8080/hook

Start Terce with the WEBHOOK_URL that this prints. It listens on 127.0.0.1 only. With WEBHOOK_SECRET or --secret (visible to
other users of this machine in the process list), a message with another signature gets 401, which pauses the channel: use
the same secret on both sides. Messages are forwarded byte for byte with their headers, and the response is passed back; if
the service does not respond, Terce gets 502 and sends the message again later. Names and texts are printed only with --show.

Exit codes: 0 stopped, 1 failure, 2 wrong usage.`

export const addListen: AddCommand = (program, { env }) => {
  program
    .command('listen')
    .description('receive messages on this machine, for development')
    .option('--forward-to <url>', 'service to forward messages to; without it, all messages get 204')
    .option('--secret <secret>', 'signing secret, whsec_… (default: WEBHOOK_SECRET)')
    .option('--port <number>', 'port to listen on; 0 for any free port', parsePort, 0)
    .option('--show', 'print whole messages, with personal data')
    .option('--json', 'print one JSON object per line')
    .addHelpText('after', HELP)
    .action((options: Options) => listen(options, env))
}

async function listen({ port, show, json, ...options }: Options, env: Entry['env']): Promise<void> {
  const secrets = secretsOf(options.secret ?? env.WEBHOOK_SECRET ?? '')
  const forwardTo = targetOf(options.forwardTo)
  const onReceived = (received: ReceivedWebhook) => console.log(receivedLine(received, { show, json }))
  const { url, close } = await startListener({ port, secrets, forwardTo, onReceived })
  console.error(`Listening: WEBHOOK_URL=${url}`)
  console.error(secrets.length === 0 ? 'No secret: signatures are not checked.' : 'Signatures are checked.')
  if (forwardTo !== null) console.error(`Forwarding to ${forwardTo}`)
  await untilStopped(async (signal) => {
    if (!signal.aborted) await once(signal, 'abort')
  })
  await close()
}

function secretsOf(text: string): string[] {
  const secrets = text.split(',').map((secret) => secret.trim())
  if (text.trim() === '') return []
  if (!secrets.every((secret) => parseSecret(secret) !== null))
    throw new ConfigError([`The secret is not usable. ${SECRET_REMEDY}`])
  return secrets
}

function targetOf(url: string | undefined): string | null {
  if (url === undefined) return null
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new ConfigError([
      `--forward-to ${url} is not usable. Use an address such as http://localhost:8080/hook.`,
    ])
  return url
}

type LineOptions = { show?: true | undefined; json?: true | undefined }

const SIGNED = { true: 'signed', false: 'not signed', null: 'unchecked' } as const

/** Contains no personal data unless `show` is set. */
export function receivedLine({ message, ...received }: ReceivedWebhook, { show, json }: LineOptions): string {
  const { eventId = null, type = null, occurrence = null } = message ?? {}
  if (json) return JSON.stringify({ ...received, eventId, type, occurrence, ...(show && { message }) })
  const { at, key, verified, status, problem, durationMs } = received
  const what = type === null ? 'not a Terce message' : `${type} ${occurrence}, event ${eventId}`
  const line = `${at}  ${status}  ${what}, ${key ?? 'no key'}, ${SIGNED[`${verified}`]}, ${durationMs} ms`
  const details = [problem, show ? JSON.stringify(message) : null].filter((detail) => detail !== null)
  return [line, ...details].map(printable).join('\n  ')
}

/** Anybody who reaches the port chooses the text: control characters could move the cursor or forge a line. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('Use a number from 0 to 65535.')
  return Number(text)
}
