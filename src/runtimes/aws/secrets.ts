// Reads the secrets of a Lambda function from Secrets Manager, so that its environment has none. Never logs or quotes one.
import { createHash, createHmac } from 'node:crypto'
import { StoreUnavailableError } from '../../domain/errors.ts'
import { loadOptional } from '../../domain/optional-package.ts'
import { ConfigError } from '../config/config.ts'

type Environment = Readonly<Record<string, string | undefined>>
type Secrets = Readonly<Record<string, string>>

/** The settings with the secret of SECRETS_ARN; without SECRETS_ARN as they are. */
export async function withSecrets(env: Environment): Promise<Environment> {
  const arn = env.SECRETS_ARN?.trim() ?? ''
  return arn === '' ? env : { ...env, ...parseSecret(await readSecret(arn, env)) }
}

function parseSecret(text: string): Secrets {
  const values = parseObject(text)
  if (values === null)
    throw rejected('is not a JSON object. Store one such as {"DATABASE_URL": "postgres://…"}.')
  for (const [name, value] of Object.entries(values))
    if (typeof value !== 'string')
      throw rejected(`has a value of ${name} that is no text. Write it in quotes.`)
  if (!values.DATABASE_URL) throw rejected('has no DATABASE_URL. Add it.')
  return values as Secrets
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && !Array.isArray(value) ? value : null
  } catch {
    // The error of JSON.parse quotes the text.
    return null
  }
}

function rejected(problem: string): ConfigError {
  return new ConfigError([`The secret of SECRETS_ARN ${problem}`])
}

const ARN = /^arn:(aws[\w-]*):secretsmanager:([a-z0-9-]+):\d{12}:secret:\S+$/
const ATTEMPTS = 3
const TIMEOUT_MS = 3_000

/** Tried three times: throws a StoreUnavailableError if Secrets Manager is down, a ConfigError if the request is at fault. */
async function readSecret(arn: string, env: Environment): Promise<string> {
  const [, partition, region] = ARN.exec(arn) ?? []
  if (partition === undefined || region === undefined)
    throw new ConfigError([`SECRETS_ARN=${arn} is not usable. Give the ARN of a secret in Secrets Manager.`])
  const suffix = partition === 'aws-cn' ? 'amazonaws.com.cn' : 'amazonaws.com'
  const endpoint = env.AWS_ENDPOINT_URL_SECRETS_MANAGER ?? `https://secretsmanager.${region}.${suffix}`
  const sign = await signer(region, env)
  for (let attempt = 1; ; attempt++) {
    const outcome = await ask(endpoint, arn, sign)
    if (outcome.kind === 'secret') return outcome.text
    if (outcome.kind === 'rejected')
      throw new ConfigError([`SECRETS_ARN=${arn} cannot be read: ${outcome.type}. ${remedyOf(outcome.type)}`])
    if (attempt === ATTEMPTS)
      throw new StoreUnavailableError('Secrets Manager cannot be reached', outcome.code, undefined)
    await new Promise((resolve) => setTimeout(resolve, 100 * 2 ** attempt))
  }
}

type Outcome =
  | { kind: 'secret'; text: string }
  | { kind: 'rejected'; type: string }
  | { kind: 'outage'; code: string }

async function ask(endpoint: string, arn: string, sign: Sign): Promise<Outcome> {
  try {
    const { body, headers } = await sign(new URL(endpoint), JSON.stringify({ SecretId: arn }))
    const response = await fetch(endpoint, {
      method: 'POST',
      body,
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const json = (await response.json()) as { SecretString?: string; __type?: string }
    if (response.ok) return { kind: 'secret', text: json.SecretString ?? '' }
    // Some services write the namespace of the error before it: com.amazonaws.secretsmanager#AccessDeniedException.
    const type = json.__type?.split('#').at(-1) ?? `HTTP ${response.status}`
    const isOutage =
      response.status >= 500 || response.status === 429 || /Throttling|TooManyRequests/.test(type)
    return isOutage ? { kind: 'outage', code: type } : { kind: 'rejected', type }
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string } }
    // Its message can quote the response, and Lambda prints the causes of an error.
    return { kind: 'outage', code: cause?.code ?? name }
  }
}

function remedyOf(type: string): string {
  switch (type) {
    case 'AccessDeniedException':
      return 'Allow the role of this function secretsmanager:GetSecretValue on it.'
    case 'ResourceNotFoundException':
      return 'There is no such secret. Check the ARN, with the six characters that AWS appends.'
    case 'DecryptionFailure':
      return 'Allow the role of this function kms:Decrypt on the key of the secret.'
    default:
      return 'See the documentation of GetSecretValue.'
  }
}

type Sign = (url: URL, body: string) => Promise<{ body: string; headers: Record<string, string> }>

/** Lambda puts the credentials of the function's role into its environment. */
async function signer(region: string, env: Environment): Promise<Sign> {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env
  if (!accessKeyId || !secretAccessKey)
    throw new ConfigError([
      'SECRETS_ARN needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, which Lambda sets.',
    ])
  const sessionToken = env.AWS_SESSION_TOKEN
  const credentials = { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) }
  const { SignatureV4 } = await loadOptional(
    'SECRETS_ARN',
    '@smithy/signature-v4',
    () => import('./signature.ts'),
  )
  const signature = new SignatureV4({ service: 'secretsmanager', region, credentials, sha256: Sha256 })
  return async (url, body) => {
    const headers = {
      host: url.host,
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'secretsmanager.GetSecretValue',
    }
    const request = { method: 'POST', protocol: url.protocol, hostname: url.hostname, path: '/', query: {} }
    const signed = await signature.sign({ ...request, headers, body })
    const { host: _, ...sent } = signed.headers
    return { body, headers: sent }
  }
}

/** The form of hash that the signer expects: with a key an HMAC. */
class Sha256 {
  readonly #hash
  constructor(key?: Parameters<typeof createHmac>[1] | ArrayBuffer | ArrayBufferView) {
    this.#hash = key === undefined ? createHash('sha256') : createHmac('sha256', key as Uint8Array)
  }
  update(content: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(content as string | Uint8Array)
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest()
  }
  reset(): void {}
}
