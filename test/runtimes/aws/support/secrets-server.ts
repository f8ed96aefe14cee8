// A server that speaks the API of AWS Secrets Manager (JSON 1.1, GetSecretValue), and checks signatures as AWS does.
import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export const ARN = 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:terce-a1B2c3'
export const CREDENTIALS = {
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  AWS_SESSION_TOKEN: 'the-token-of-the-role',
}

export type SecretsServer = {
  endpoint: string
  /** How many requests came. */
  requests(): number
  /** The secret from now on. */
  store(secret: string): void
  /** Respond with this text from now on. */
  respondWith(text: string): void
  /** Respond to the next `times` requests with this error, as AWS does; a status of 0 closes the connection. */
  fail(error: { status: number; type: string; times: number }): void
  stop(): Promise<void>
}

export async function startSecretsServer(secret: string): Promise<SecretsServer> {
  let stored = secret
  let requests = 0
  let fixed: string | null = null
  let failure = { status: 400, type: '', times: 0 }
  const server = createServer(async (request, response) => {
    requests += 1
    const body = await text(request)
    const respond = (status: number, json: object) =>
      response
        .writeHead(status, { 'Content-Type': 'application/x-amz-json-1.1' })
        .end(fixed ?? JSON.stringify(json))
    if (failure.times > 0) {
      failure = { ...failure, times: failure.times - 1 }
      if (failure.status === 0) return request.destroy()
      return respond(failure.status, { __type: failure.type, Message: 'From the server.' })
    }
    if (!isSigned(request, body)) return respond(400, { __type: 'InvalidSignatureException' })
    if (request.headers['x-amz-target'] !== 'secretsmanager.GetSecretValue')
      return respond(400, { __type: 'UnknownOperationException' })
    if (JSON.parse(body).SecretId !== ARN)
      return respond(400, { __type: 'ResourceNotFoundException', Message: 'No such secret.' })
    respond(200, { ARN, Name: 'terce', VersionStages: ['AWSCURRENT'], SecretString: stored })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    store: (next) => {
      stored = next
    },
    respondWith: (next) => {
      fixed = next
    },
    fail: (next) => {
      failure = next
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/secretsmanager\/aws4_request, SignedHeaders=([^,]+), Signature=(\w{64})$/

/** Computes the signature again from the request, as the documentation of Signature Version 4 says. */
function isSigned({ headers, method, url }: IncomingMessage, body: string): boolean {
  const [, id, day, region, names, signature] = AUTHORIZATION.exec(headers.authorization ?? '') ?? []
  if (id !== CREDENTIALS.AWS_ACCESS_KEY_ID || region !== 'eu-central-1') return false
  if (headers['x-amz-security-token'] !== CREDENTIALS.AWS_SESSION_TOKEN) return false
  const signed = names!.split(';')
  for (const required of ['host', 'x-amz-date', 'x-amz-target', 'x-amz-security-token'])
    if (!signed.includes(required)) return false
  const lines = signed.map((name) => `${name}:${String(headers[name]).trim()}\n`)
  const request = [method, url, '', lines.join(''), names, sha256(body)].join('\n')
  const scope = `${day}/${region}/secretsmanager/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(request)].join('\n')
  const key = [region!, 'secretsmanager', 'aws4_request'].reduce<Buffer>(
    hmac,
    hmac(Buffer.from(`AWS4${CREDENTIALS.AWS_SECRET_ACCESS_KEY}`), day!),
  )
  return hmac(key, toSign).toString('hex') === signature
}

const sha256 = (content: string) => createHash('sha256').update(content).digest('hex')
const hmac = (key: Buffer, content: string) => createHmac('sha256', key).update(content).digest()
