// The secrets of a Lambda function: read from Secrets Manager when the function starts, and never from its environment.
import { inspect } from 'node:util'
import type { Context } from 'aws-lambda'
import type { LambdaEvent } from 'hono/aws-lambda'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StoreUnavailableError } from '../../../src/domain/errors.ts'
import { api, worker } from '../../../src/runtimes/aws/handlers.ts'
import { awsRuntime, closeAwsRuntime, knownConfig } from '../../../src/runtimes/aws/runtime.ts'
import { withSecrets } from '../../../src/runtimes/aws/secrets.ts'
import { pollOnce, startSqs } from '../../queues/support/sqs-server.ts'
import { query } from '../../stores/postgres/support/audit.ts'
import { useStage } from '../../stores/postgres/support/postgres-suite.ts'
import { until } from '../../support/until.ts'
import { call, sqsEvent } from './support/lambda.ts'
import { ARN, CREDENTIALS, type SecretsServer, startSecretsServer } from './support/secrets-server.ts'

const SECRET = {
  DATABASE_URL: 'postgres://terce:hidden-password@db.example.com/terce',
  TERCE_API_KEYS: 'ops:admin:a-key-of-thirty-two-characters-or-more',
  TERCE_SECRET_KEY: '',
  WEBHOOK_SECRET: '',
}

let server: SecretsServer
let env: Record<string, string>

beforeEach(async () => {
  server = await startSecretsServer(JSON.stringify(SECRET))
  env = { SECRETS_ARN: ARN, AWS_ENDPOINT_URL_SECRETS_MANAGER: server.endpoint, ...CREDENTIALS }
})
afterEach(() => server.stop())

const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable(),
    (error: Error) => error,
  )

describe('the secrets of a Lambda function', () => {
  it('are read with a signed request, and added to the settings', async () => {
    expect(await withSecrets({ ...env, LOG_LEVEL: 'warn' })).toMatchObject({ ...SECRET, LOG_LEVEL: 'warn' })
  })

  it('come from the environment if SECRETS_ARN is not set', async () => {
    const plain = { DATABASE_URL: 'postgres://localhost/terce', SECRETS_ARN: '' }
    expect(await withSecrets(plain)).toEqual(plain)
    expect(server.requests()).toBe(0)
  })

  const broken: [what: string, secret: string, message: RegExp][] = [
    ['is not JSON', 'postgres://terce:hidden-password@db/terce', /JSON object/],
    ['is a list', '["hidden-password"]', /JSON object/],
    ['has a value that is no text', '{"DATABASE_URL":"postgres://db/terce","PORT":3000}', /PORT.* text/],
    [
      'has no DATABASE_URL',
      '{"TERCE_API_KEYS":"ops:admin:hidden-password-of-thirty-two-characters"}',
      /no DATABASE_URL/,
    ],
  ]
  for (const [what, secret, message] of broken) {
    it(`are rejected if the secret ${what}, with an error that names SECRETS_ARN and quotes nothing`, async () => {
      server.store(secret)
      const error = await errorOf(withSecrets(env))
      expect(error.name).toBe('ConfigError')
      expect(error.message).toMatch(message)
      expect(error.message).toContain('SECRETS_ARN')
      expect(JSON.stringify([error.message, error.stack, error.cause])).not.toContain('hidden-password')
    })
  }

  it('count as an outage if the response is not JSON, with an error that quotes nothing of it', async () => {
    server.respondWith('hidden-password')
    const error = await errorOf(withSecrets(env))
    expect(error).toBeInstanceOf(StoreUnavailableError)
    // As Lambda prints an error that a handler throws, with its causes.
    expect(inspect(error, { depth: 9 })).not.toContain('hidden')
  })

  const rejected: [type: string, message: RegExp][] = [
    ['AccessDeniedException', /AccessDeniedException.*Allow .* secretsmanager:GetSecretValue/],
    ['com.amazonaws.secretsmanager#ResourceNotFoundException', /ResourceNotFoundException.*no such secret/i],
    ['DecryptionFailure', /DecryptionFailure.*kms:Decrypt/],
  ]
  for (const [type, message] of rejected) {
    it(`end the start after ${type}, with the remedy`, async () => {
      server.fail({ status: 400, type, times: 1 })
      const error = await errorOf(withSecrets(env))
      expect(error.name).toBe('ConfigError')
      expect(error.message).toMatch(message)
      expect(server.requests()).toBe(1)
    })
  }

  it('are not read without credentials, or from what is no ARN of a secret', async () => {
    for (const wrong of [{ SECRETS_ARN: 'terce' }, { AWS_ACCESS_KEY_ID: '' }]) {
      const error = await errorOf(withSecrets({ ...env, ...wrong }))
      expect([error.name, error.message]).toEqual([
        'ConfigError',
        expect.stringContaining(Object.keys(wrong)[0]!),
      ])
    }
    expect(server.requests()).toBe(0)
  })

  for (const failure of [
    { status: 500, type: 'InternalServiceError' },
    { status: 400, type: 'ThrottlingException' },
    { status: 0, type: '' },
  ]) {
    const what = failure.type || 'a broken connection'
    it(`are tried again after ${what}, and count as an outage if it lasts`, async () => {
      server.fail({ ...failure, times: 1 })
      expect(await withSecrets(env)).toMatchObject(SECRET)
      server.fail({ ...failure, times: 9 })
      expect(await errorOf(withSecrets(env))).toBeInstanceOf(StoreUnavailableError)
    })
  }
})

describe('a Lambda function with SECRETS_ARN', () => {
  const stage = useStage()
  const before = { ...process.env }
  beforeEach(() => {
    server.store(JSON.stringify({ ...SECRET, DATABASE_URL: stage.database() }))
    Object.assign(process.env, env, { LOG_LEVEL: 'silent', WEBHOOK_URL: 'https://example.com/' })
  })
  afterEach(async () => {
    await closeAwsRuntime()
    process.env = { ...before }
  })

  it('opens its database and accepts its keys by the secret alone, which it reads once for each cold start', async () => {
    expect(process.env.DATABASE_URL).toBeUndefined()
    expect(await request('/user')).toMatchObject({ statusCode: 200 })
    expect(await request('/user')).toMatchObject({ statusCode: 200 })
    expect(server.requests()).toBe(1)
  })

  it('reads PRUNE_AFTER and LEASE_MS from the secret too', async () => {
    server.store(
      JSON.stringify({ ...SECRET, DATABASE_URL: stage.database(), PRUNE_AFTER: '90d', LEASE_MS: '700000' }),
    )
    const { keepMs, config } = await awsRuntime()
    expect([keepMs, config.leaseMs]).toEqual([90 * 86_400_000, 700_000])
    expect(knownConfig().leaseMs).toBe(700_000)
  })

  it('reads the secret again after a start that its password ended, as after a rotation', async () => {
    server.store(JSON.stringify({ ...SECRET, DATABASE_URL: `${stage.database()}_gone` }))
    await expect(request('/user')).rejects.toThrow(/Check DATABASE_URL/)
    server.store(JSON.stringify({ ...SECRET, DATABASE_URL: stage.database() }))
    expect(await request('/user')).toMatchObject({ statusCode: 200 })
  })

  it('reads the secret again when the database rejects a new connection, and responds with 503 until it is accepted', async () => {
    const [before, after] = [
      await stage.createRole('rotated', 'SUPERUSER'),
      await stage.createRole('rotating', 'SUPERUSER'),
    ]
    const secretOf = (role: string) =>
      JSON.stringify({ ...SECRET, DATABASE_URL: stage.database().replace('postgres@', `${role}@`) })
    server.store(secretOf(before))
    expect(await request('/user')).toMatchObject({ statusCode: 200 })
    await query(stage.database(), `ALTER ROLE ${before} NOLOGIN`)
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${before}'`
    await query(stage.database(), end)
    await until(
      'a rejected login',
      () => request('/user'),
      ({ statusCode }) => statusCode === 503,
    )
    expect(await request('/readyz')).toMatchObject({ statusCode: 503 })
    expect(await request('/healthz')).toMatchObject({ statusCode: 200 })
    server.store(secretOf(after))
    expect(await request('/user')).toMatchObject({ statusCode: 200 })
    const read = server.requests()
    expect(await request('/user')).toMatchObject({ statusCode: 200 })
    expect(server.requests()).toBe(read)
  })

  it('responds with 503, and keeps its queue messages, while Secrets Manager is down', async () => {
    const sqs = await startSqs(4)
    stage.atEnd(() => sqs.stop())
    const at = { QUEUE_URL: sqs.queueUrl, AWS_ENDPOINT_URL_SQS: sqs.endpoint, AWS_REGION: 'us-east-1' }
    Object.assign(process.env, at)
    server.fail({ status: 500, type: 'InternalServiceError', times: 99 })
    expect(await request('/user')).toMatchObject({ statusCode: 503 })
    expect(await request('/healthz')).toMatchObject({ statusCode: 200 })
    const reason = expect.stringContaining('Secrets Manager cannot be reached')
    expect(await request('/readyz')).toMatchObject({ statusCode: 503, body: reason })
    const { client, queueUrl } = sqs
    const { SendMessageCommand } = await import('@aws-sdk/client-sqs')
    await client.send(
      new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: '{"eventId":"1","version":1}' }),
    )
    await pollOnce(sqs, queueUrl, async (messages) => {
      const { batchItemFailures } = await worker(sqsEvent(messages), call(30_000))
      expect(batchItemFailures).toHaveLength(1)
      return { failed: batchItemFailures.map(({ itemIdentifier }) => itemIdentifier) }
    })
    expect([sqs.count(queueUrl), sqs.count(sqs.deadUrl)]).toEqual([1, 0])
  })
})

async function request(path: string): Promise<{ statusCode: number; body: string }> {
  const event = {
    version: '2.0',
    rawPath: path,
    rawQueryString: '',
    headers: { host: 'example.com', authorization: 'Bearer a-key-of-thirty-two-characters-or-more' },
    requestContext: { http: { method: 'GET', path, sourceIp: '203.0.113.9' } },
  }
  return (await api(event as unknown as LambdaEvent, call(25_000) as Context)) as {
    statusCode: number
    body: string
  }
}
