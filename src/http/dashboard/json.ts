// The overview as JSON.
import { z } from '@hono/zod-openapi'
import { EventJson } from '../../api/events/json.ts'
import { instant } from '../../api/fields.ts'
import { UserJson } from '../../api/users/json.ts'
import { ChannelJson } from '../channels/json.ts'

export const count = (description: string) => z.int().openapi({ description, example: 0 })

export const countedAt = instant(
  'When the counts were taken. They are cached for a second, and for up to two minutes if counting takes long.',
)

const BriefJson = EventJson.pick({
  id: true,
  userId: true,
  eventType: true,
  occurrence: true,
  status: true,
  targetTimestampUTC: true,
  targetTimestampLocal: true,
  targetTimezone: true,
  executedAt: true,
  failureReason: true,
  failureCode: true,
  retryCount: true,
  channelId: true,
}).extend({
  firstName: UserJson.shape.firstName,
  lastName: UserJson.shape.lastName,
})

export const TodayJson = z
  .object({
    now: instant('The server time.'),
    countedAt,
    tzVersion: z.string().openapi({ example: '2026f' }),
    counts: z.object({
      people: count('People in total.'),
      inFlight: count('Messages in flight.'),
      waiting: count('Messages that were claimed and wait: for a retry, or until their channel is up.'),
      sent24h: count('Messages delivered in the last 24 hours.'),
      failed24h: count(
        'Messages that failed in the last 24 hours and were neither delivered since nor are being replayed.',
      ),
      ambiguous24h: count(
        'Attempts with an unknown result in the last 24 hours, of messages at most three days late. The message may have been sent twice with the same idempotency key.',
      ),
    }),
    lateness: z
      .object({ p50Ms: z.number(), p95Ms: z.number() })
      .nullable()
      .openapi({ description: 'Computed from the latest deliveries; null if there are none.' }),
    instances: z
      .array(z.object({ id: z.string(), seenAt: instant('Its last heartbeat.') }))
      .nullable()
      .openapi({
        description:
          'The worker processes with a heartbeat in the last 30 seconds, idle ones too. Null on AWS Lambda and Cloudflare Workers, where functions are started on demand.',
      }),
    wave: z.array(
      z.object({
        dueAt: instant('The minute in which the messages are due.'),
        offsetMinutes: z.number().openapi({ description: 'The UTC offset in minutes, east positive.' }),
        sent: count('Delivered.'),
        inFlight: count('Claimed and not settled: in flight, or waiting.'),
        failed: count('Failed.'),
        remaining: count('Not claimed yet.'),
      }),
    ),
    next: z
      .object({
        dueAt: instant('The earliest instant at which messages are due.'),
        count: count('How many messages are due then.'),
      })
      .nullable()
      .openapi({ description: 'Null if no message is due in the next 36 hours.' }),
    zones: z.array(z.object({ timezone: z.string(), offsetMinutes: z.number(), people: z.int() })),
    stoppedChannels: z
      .array(
        z.object({
          id: z.string(),
          name: z.string(),
          status: z.enum(['HELD', 'DISABLED', 'DOWN']).openapi({
            description:
              'HELD and DISABLED: the status of the channel. DOWN: it is active, but its destination does not respond.',
          }),
          statusReason: z.string().nullable().openapi({
            description: 'Why it was held or disabled, or the last error of a destination that is down.',
            example: 'HTTP 503',
          }),
          heldUntil: ChannelJson.shape.heldUntil,
          heldBy: ChannelJson.shape.heldBy,
          since: instant(
            'Since when a destination is down; null for a channel that is held or disabled.',
          ).nullable(),
          nextProbeAt: ChannelJson.shape.nextProbeAt,
          isDefault: ChannelJson.shape.isDefault,
          waiting: count('Messages that wait until it is released, responds, or its hold ends.'),
        }),
      )
      .openapi({ description: 'The channels that do not send, the built-in ones included.' }),
    recent: z.array(BriefJson).openapi({
      description: 'The latest events that were claimed, with their users, by due time, newest first.',
    }),
  })
  .openapi('Today')
