// Sends a pending event at once: the operation, which exists in development and tests only, and its handler.
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { AppDeps } from '../../app/app-deps.ts'
import { sendNow } from '../../app/events/send-now.ts'
import { mount, type Operation } from '../server/operation.ts'
import { Problem } from '../server/problem.ts'
import { EventJson, eventJson, eventNotFound, ofEvent } from './json.ts'

const SEND_EVENT_NOW = {
  operationId: 'sendEventNow',
  route: 'POST /event/{id}/send-now',
  scope: 'write',
  audit: { action: 'event.advanced', kind: 'event' },
  tag: 'Events',
  summary: 'Send a pending event now',
  description:
    'For development and tests: it exists while no API key is needed, or with ALLOW_SEND_NOW=true. Makes a pending event due at once. The message, its key, its occurrence and the next event are those of its own time.',
  ...ofEvent,
  responses: { 200: { description: 'Due; a worker sends it at once.', schema: EventJson } },
  problems: ['EVENT_NOT_FOUND', 'ROUTE_NOT_FOUND', 'NOT_PENDING'],
} satisfies Operation

export function mountSendNow(api: OpenAPIHono, deps: AppDeps, { allowed }: { allowed: boolean }): void {
  mount(api, SEND_EVENT_NOW, async ({ c, params }) => {
    // Null for a caller without a key, who has access only on this computer and while no key exists.
    if (!allowed && c.get('keyId') !== null) {
      throw new Problem(
        'ROUTE_NOT_FOUND',
        'Events are sent at their time. For tests, start Terce with ALLOW_SEND_NOW=true.',
      )
    }
    const result = await sendNow(deps, params.id)
    switch (result.kind) {
      case 'due':
        return c.json(eventJson(result.event))
      case 'missing':
        throw eventNotFound(params)
      case 'not-pending':
        throw new Problem(
          'NOT_PENDING',
          `The event is ${result.event.status}. Only a PENDING event can be sent now.`,
        )
    }
  })
}
