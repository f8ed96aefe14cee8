// What the operations on the service itself promise, for the OpenAPI document and the reference page.
import { z } from '@hono/zod-openapi'
import type { Operation } from '../server/operation.ts'

const tag = 'Service'
const StatusJson = z.object({ status: z.literal('ok'), version: z.string().openapi({ example: '1.0.0' }) })

export const FRONT_DOOR = {
  operationId: 'whereToLook',
  method: 'get',
  path: '/',
  scope: 'open',
  tag,
  summary: 'Where to look',
  description: 'The name and version of the service, and the paths worth knowing.',
  responses: {
    200: {
      description: 'A few paths.',
      schema: z.object({
        name: z.literal('terce'),
        version: z.string(),
        links: z.record(z.string(), z.string()).openapi({ example: { reference: '/docs' } }),
      }),
    },
  },
  problems: [],
} satisfies Operation

export const HEALTH = {
  operationId: 'health',
  method: 'get',
  path: '/healthz',
  scope: 'open',
  tag,
  summary: 'Is it alive?',
  description: 'Answers as long as the process does. Looks at nothing else.',
  responses: { 200: { description: 'Alive.', schema: StatusJson } },
  problems: [],
} satisfies Operation

export const READINESS = {
  operationId: 'readiness',
  method: 'get',
  path: '/readyz',
  scope: 'open',
  tag,
  summary: 'Can it work?',
  description: 'Looks whether the database can be reached and written.',
  responses: { 200: { description: 'Ready.', schema: StatusJson } },
  problems: ['NOT_READY'],
} satisfies Operation

export const METRICS = {
  operationId: 'metrics',
  method: 'get',
  path: '/metrics',
  scope: 'read',
  tag,
  summary: 'Metrics for Prometheus',
  description: 'Counters, gauges and histograms of this process, as text. Names no person.',
  responses: { 200: { description: 'The metrics.', schema: z.string(), mediaType: 'text/plain' } },
  problems: [],
} satisfies Operation

export const OPENAPI = {
  operationId: 'openapi',
  method: 'get',
  path: '/openapi.json',
  scope: 'open',
  tag,
  summary: 'This API as OpenAPI 3.1',
  description: 'The document that the reference page is made of, for tools.',
  responses: { 200: { description: 'An OpenAPI document.', schema: z.record(z.string(), z.unknown()) } },
  problems: [],
} satisfies Operation

export const REFERENCE = {
  operationId: 'reference',
  method: 'get',
  path: '/docs',
  scope: 'open',
  tag,
  summary: 'This API as a page',
  description: 'The reference, for people. Needs no script and nothing from elsewhere.',
  responses: { 200: { description: 'A page.', schema: z.string(), mediaType: 'text/html' } },
  problems: [],
} satisfies Operation
