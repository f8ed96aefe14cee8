// An attempt as JSON, with the response of the receiver.
import { z } from '@hono/zod-openapi'
import type { ChannelNames } from '../../app/events/channel-names.ts'
import { ATTEMPT_OUTCOMES, type Attempt } from '../../domain/events/event.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'
import { id, instant } from '../fields.ts'

const ResponseJson = z
  .object({
    headers: z.record(z.string(), z.string()).openapi({
      description: 'Up to 2 kB, without cookies and other credentials. Empty for SMTP.',
      example: { 'content-type': 'text/plain' },
    }),
    body: z.string().openapi({
      description: 'The first 4 kB of the body, or the last SMTP reply.',
      example: 'no such contact',
    }),
    shortened: z.boolean().openapi({ description: 'True if the body was longer.' }),
  })
  .openapi('AttemptResponse', { description: 'The response of the receiver to an attempt.' })

export const AttemptJson = z
  .object({
    number: z.int().openapi({ description: 'The number of the attempt, from 1.', example: 1 }),
    workerId: z.string().openapi({
      description: 'The worker that claimed it; on AWS and Cloudflare the run of the scheduler.',
      example: 'worker-7c1f',
    }),
    startedAt: instant('When it was claimed.', '2026-12-15T16:00:00.120Z'),
    finishedAt: instant('When it ended.', '2026-12-15T16:00:00.412Z'),
    outcome: z.enum(ATTEMPT_OUTCOMES).openapi({
      description:
        'How it ended. RELEASED: its destination was down or rejected our credentials; it does not count against the retries. UNKNOWN: the worker died or lost its lease; it may have been delivered.',
    }),
    statusCode: z
      .int()
      .nullable()
      .openapi({ description: 'The HTTP or SMTP status of the receiver, if there was one.', example: 200 }),
    error: z.string().nullable().openapi({ description: 'The error.' }),
    channelId: id('The channel it was sent to; null if it is not known.').nullable(),
    channel: z.string().nullable().openapi({ description: 'The name of the channel.', example: 'crm' }),
    destination: z.string().nullable().openapi({
      description:
        'Where it was sent: the origin of the URL, without its path, which can be a credential; or the mail server. Null if KEEP_RESPONSES did not store it.',
      example: 'https://example.com',
    }),
    response: ResponseJson.nullable().openapi({
      description: 'Null if none arrived, or KEEP_RESPONSES did not store it.',
    }),
  })
  .openapi('Attempt', { description: 'One delivery attempt.' })

export function attemptJson(attempt: Attempt, nameOf: ChannelNames): z.infer<typeof AttemptJson> {
  const { number, outcome, statusCode, error, channelId } = attempt
  const [startedAt, finishedAt] = [formatInstant(attempt.startedAt), formatInstant(attempt.finishedAt)]
  const { destination: url = null, response = null } = attempt.exchange ?? {}
  const destination = url?.replace(/^(\w+:\/\/[^/]*).*$/, '$1') ?? null
  const result = { outcome, statusCode, error, channelId, channel: nameOf(channelId), destination, response }
  return { number, workerId: attempt.claimedBy, startedAt, finishedAt, ...result }
}
