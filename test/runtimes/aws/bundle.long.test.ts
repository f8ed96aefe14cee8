// The bundles as deployed: each alone in a folder, in its own process, without node_modules.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAws, type FUNCTIONS } from '../../../scripts/build-aws.ts'
import { pollOnce, startSqs } from '../../queues/support/sqs-server.ts'
import { useStage } from '../../stores/postgres/support/postgres-suite.ts'
import { HOUR, makePeople } from '../../support/fixtures.ts'
import { builtDashboard } from '../../web/support/browser.ts'
import { sqsEvent } from './support/lambda.ts'
import { ARN, CREDENTIALS, startSecretsServer } from './support/secrets-server.ts'

const stage = useStage({ database: 'empty' })
const folder = mkdtempSync(join(tmpdir(), 'terce-aws-'))
beforeAll(async () => {
  await builtDashboard()
  await buildAws(folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const LAMBDA = `
  const { handler } = await import(process.argv[1])
  const endsAt = Date.now() + 20_000
  const context = { awsRequestId: 'call-1', getRemainingTimeInMillis: () => endsAt - Date.now() }
  const answer = await handler(JSON.parse(process.argv[2]), context)
  process.stderr.write(JSON.stringify(answer), () => process.exit(0))
`

/** One cold start and one call, as Lambda makes them. */
async function invoke(name: keyof typeof FUNCTIONS, event: unknown, env: Record<string, string>) {
  const file = join(folder, name, 'index.mjs')
  const args = ['--input-type=module', '-e', LAMBDA, file, JSON.stringify(event)]
  const child = spawn(process.execPath, args, { cwd: folder, env })
  const [log, answer, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ])
  expect(code, `${log}\n${answer}`).toBe(0)
  const lines = log.split('\n').filter((line) => line !== '')
  return { lines: lines.map((line) => JSON.parse(line)), log, answer: JSON.parse(answer) }
}

describe('the Lambda bundles', () => {
  it('run without node_modules, deliver a due event, and log no name', async () => {
    const sqs = await startSqs(4)
    stage.atEnd(() => sqs.stop())
    const sink = await stage.sink()
    const env = {
      DATABASE_URL: stage.database(),
      QUEUE_URL: sqs.queueUrl,
      AWS_ENDPOINT_URL_SQS: sqs.endpoint,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      WEBHOOK_URL: sink.url,
      LOG_LEVEL: 'debug',
    }
    // The first function to start migrates the empty database.
    const empty = await invoke('scheduler', {}, env)
    expect(empty.lines).toContainEqual(expect.objectContaining({ msg: 'No missed events found' }))
    const store = await stage.open()
    const now = Math.round(await store.readClock())
    const people = makePeople(3, (index) => ({ targetAt: now - (index + 1) * HOUR }))
    await store.createUsers(people)

    const recovered = await invoke('recovery', {}, env)
    expect(recovered.answer).toMatchObject({ count: 3, handedOver: 3 })
    expect(recovered.lines).toContainEqual(
      expect.objectContaining({
        msg: 'Missed events found',
        count: 3,
        oldestEventTimestamp: new Date(now - 3 * HOUR).toISOString(),
        newestEventTimestamp: new Date(now - HOUR).toISOString(),
      }),
    )
    let worked = { log: '' }
    const received = await pollOnce(sqs, sqs.queueUrl, async (messages) => {
      const done = await invoke('worker', sqsEvent(messages), env)
      worked = done
      expect(done.answer).toEqual({ batchItemFailures: [] })
      expect(done.lines).toContainEqual(expect.objectContaining({ msg: 'Events settled', delivered: 3 }))
      return { failed: [] }
    })
    expect(received).toBe(3)
    expect(sink.arrivals).toHaveLength(3)
    expect(recovered.log + worked.log).not.toMatch(/Ada|Lovelace|1990/)
  })

  it('read their settings from Secrets Manager', async () => {
    const key = 'a-key-of-thirty-two-characters-or-more'
    const secret = { DATABASE_URL: stage.database(), TERCE_API_KEYS: `ops:admin:${key}` }
    const server = await startSecretsServer(JSON.stringify(secret))
    stage.atEnd(() => server.stop())
    const headers = { host: 'example.com', authorization: `Bearer ${key}` }
    const http = { method: 'GET', path: '/user', sourceIp: '203.0.113.9' }
    const event = { version: '2.0', rawPath: '/user', rawQueryString: '', headers, requestContext: { http } }
    const env = { SECRETS_ARN: ARN, AWS_ENDPOINT_URL_SECRETS_MANAGER: server.endpoint, ...CREDENTIALS }
    expect((await invoke('api', event, env)).answer).toMatchObject({ statusCode: 200 })
  })

  it('serve requests, and consume dead letters', async () => {
    const env = {
      DATABASE_URL: stage.database(),
      QUEUE_URL: 'http://127.0.0.1:9/dead',
      TERCE_API_KEYS: 'ops:admin:a-key-of-thirty-two-characters-or-more',
    }
    const get = async (path: string) => {
      const http = { method: 'GET', path, sourceIp: '203.0.113.9' }
      const event = { version: '2.0', rawPath: path, rawQueryString: '', headers: { host: 'example.com' } }
      return (await invoke('api', { ...event, requestContext: { http } }, env)).answer
    }
    expect(await get('/healthz')).toMatchObject({ statusCode: 200 })
    const page = await get('/app/people')
    expect(page).toMatchObject({ statusCode: 200, isBase64Encoded: false })
    const [script] = page.body.match(/\/app\/assets\/[\w-]+\.js/)
    expect(await get(script)).toMatchObject({ statusCode: 200, isBase64Encoded: false })
    expect((await invoke('dead-letters', { Records: [] }, env)).answer).toEqual({ batchItemFailures: [] })
  })
})
