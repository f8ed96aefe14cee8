// `terce listen`: a receiver for development. Says in brief what comes, and hands it on to a service on this machine.
import { once } from 'node:events'
import { InvalidArgumentError } from 'commander'
import { parseSecret, SECRET_REMEDY } from '../../receiver/secret.ts'
import { ConfigError } from '../../runtimes/config/config.ts'
import type { AddCommand, Entry } from '../entry.ts'
import { type Received, startListener } from '../listener.ts'
import { untilStopped } from '../output/watch.ts'

type Options = { forwardTo?: string; secret?: string; port: number; show?: true; json?: true }

const HELP = `
Examples:
  terce listen --port 4000
  terce listen --port 4000 --forward-to http://localhost:8080/hook

Start Terce with WEBHOOK_URL as this prints it. It listens on this machine alone. With WEBHOOK_SECRET, or --secret (which
others on this machine can see in the list of processes), what is not signed by it is refused, and a 401 pauses the channel:
give both the same. What comes is handed on byte for byte, headers too, and the answer is passed back; if there is none,
502 is answered and Terce tries again. Who is greeted and how is shown only with --show.

Exit codes: 0 stopped, 1 failed, 2 something asked for wrongly.`

export const addListen: AddCommand = (program, { env }) => {
  program
    .command('listen')
    .description('receive messages on this machine, for development, until it is stopped')
    .option('--forward-to <url>', 'the service that each is handed on to; without it, all are taken')
    .option('--secret <secret>', 'what signs them, whsec_… (default: WEBHOOK_SECRET)')
    .option('--port <number>', 'where to listen; 0 for any free port', parsePort, 0)
    .option('--show', 'whole messages, personal data and all')
    .option('--json', 'one JSON object a line')
    .addHelpText('after', HELP)
    .action((options: Options) => listen(options, env))
}

async function listen({ port, show, json, ...options }: Options, env: Entry['env']): Promise<void> {
  const secrets = secretsOf(options.secret ?? env.WEBHOOK_SECRET ?? '')
  const forwardTo = targetOf(options.forwardTo)
  const onReceived = (received: Received) => console.log(receivedLine(received, { show, json }))
  const { url, close } = await startListener({ port, secrets, forwardTo, onReceived })
  console.error(`Listening: WEBHOOK_URL=${url}`)
  console.error(
    secrets.length === 0 ? 'There is no secret: signatures are not checked.' : 'Signatures are checked.',
  )
  if (forwardTo !== null) console.error(`Handing on to ${forwardTo}`)
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
      `--forward-to ${url} is not usable. Give an address such as http://localhost:8080/hook.`,
    ])
  return url
}

type Manner = { show?: true | undefined; json?: true | undefined }

const SIGNED = { true: 'signed', false: 'not signed', null: 'unchecked' } as const

/** Nothing of whom it is for, unless asked. */
export function receivedLine({ message, ...received }: Received, { show, json }: Manner): string {
  const { eventId = null, type = null, occurrence = null } = message ?? {}
  if (json) return JSON.stringify({ ...received, eventId, type, occurrence, ...(show && { message }) })
  const { at, key, verified, status, problem, durationMs } = received
  const what = type === null ? 'no message of Terce' : `${type} ${occurrence}, event ${eventId}`
  const line = `${at}  ${status}  ${what}, ${key ?? 'no key'}, ${SIGNED[`${verified}`]}, ${durationMs} ms`
  const details = [problem, show ? JSON.stringify(message) : null].filter((detail) => detail !== null)
  return [line, ...details].join('\n  ')
}

function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('Give a number from 0 to 65535.')
  return Number(text)
}
