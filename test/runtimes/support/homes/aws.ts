// The handlers of AWS Lambda with an SQS server and PostgreSQL. A tick runs the scheduler and polls the queues.
import type { LambdaEvent } from 'hono/aws-lambda'
import { api, deadLetters, scheduler, worker } from '../../../../src/runtimes/aws/handlers.ts'
import { closeAwsRuntime } from '../../../../src/runtimes/aws/runtime.ts'
import { startSqs } from '../../../queues/support/sqs-server.ts'
import type { Databases } from '../../../support/postgres-databases.ts'
import { KEY } from '../../../support/workerd/terce.ts'
import { call, runEventSources } from '../../aws/support/lambda.ts'
import type { Home } from '../scenario-steps.ts'

export async function openAws(env: Record<string, string>, server: Databases): Promise<Home> {
  const sqs = await startSqs(4)
  const before = { ...process.env }
  const url = await server.createDatabase()
  Object.assign(process.env, env, {
    DATABASE_URL: url,
    QUEUE_URL: sqs.queueUrl,
    AWS_ENDPOINT_URL_SQS: sqs.endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  })
  return {
    async request(method, path, body) {
      const answer = await api(gatewayEvent(method, path, body), call(25_000))
      const { statusCode, body: text } = answer as { statusCode: number; body: string }
      return { status: statusCode, body: text === '' ? null : JSON.parse(text) }
    },
    async tick() {
      // The handler reserves two of these seconds, and waits in the others for events that fall due.
      await scheduler({}, call(4_000))
      await runEventSources(sqs, { worker, deadLetters })
    },
    stop: closeAwsRuntime,
    // The next call is a cold start.
    start: async () => {},
    remove: async () => {
      await closeAwsRuntime()
      await sqs.stop()
      process.env = before
      await server.dropDatabase(url)
    },
  }
}

/** A request from an API Gateway HTTP API, payload format 2.0. */
function gatewayEvent(method: string, pathAndQuery: string, body: unknown): LambdaEvent {
  const { pathname, search } = new URL(pathAndQuery, 'https://example.com')
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: pathname,
    rawQueryString: search.slice(1),
    headers: {
      host: 'example.com',
      authorization: `Bearer ${KEY}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    requestContext: {
      http: { method, path: pathname, sourceIp: '203.0.113.9' },
      domainName: 'example.com',
    },
    body: body === undefined ? null : JSON.stringify(body),
    isBase64Encoded: false,
  } as unknown as LambdaEvent
}
