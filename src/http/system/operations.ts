// The operations on the service itself, as the OpenAPI document describes them.
import { z } from '@hono/zod-openapi'
import type { Operation } from '../server/operation.ts'

const tag = 'Service'
const StatusJson = z.object({ status: z.literal('ok'), version: z.string().openapi({ example: '1.0.0' }) })

export const FRONT_DOOR = {
  operationId: 'getIndex',
  route: 'GET /',
  scope: 'open',
  tag,
  summary: 'Get the index',
  description:
    'Name, version and main paths of the service. A browser (`Accept: text/html`) is redirected to the dashboard, or to this reference where there is no dashboard.',
  responses: {
    200: {
      description: 'The index.',
      schema: z.object({
        name: z.literal('terce'),
        version: z.string(),
        links: z.record(z.string(), z.string()).openapi({ example: { reference: '/docs' } }),
      }),
    },
    302: { description: 'To the dashboard or the reference, for a browser.' },
  },
} satisfies Operation

export const HEALTH = {
  operationId: 'health',
  route: 'GET /healthz',
  scope: 'open',
  unlimited: true,
  tag,
  summary: 'Check liveness',
  description: 'Responds as long as the process runs. Checks nothing else.',
  responses: { 200: { description: 'The process runs.', schema: StatusJson } },
} satisfies Operation

export const READINESS = {
  operationId: 'readiness',
  route: 'GET /readyz',
  scope: 'open',
  unlimited: true,
  tag,
  summary: 'Check readiness',
  description:
    'Checks with a write that the database can be reached and written. The result is reused for two seconds.',
  responses: { 200: { description: 'Ready.', schema: StatusJson } },
  problems: ['NOT_READY'],
} satisfies Operation

export const METRICS = {
  operationId: 'metrics',
  route: 'GET /metrics',
  scope: 'read',
  tag,
  summary: 'Get metrics',
  description:
    'Counters, gauges and histograms of this process in Prometheus format. Contains no personal data.',
  responses: { 200: { description: 'The metrics.', schema: z.string(), mediaType: 'text/plain' } },
} satisfies Operation

const SettingJson = z
  .object({
    name: z.string().openapi({ description: 'The environment variable.', example: 'DELIVER_AT' }),
    value: z.string().nullable().openapi({
      description: 'Null if it is not set and has no default. Secrets are masked.',
      example: '09:00',
    }),
    source: z.enum(['default', 'environment']).openapi({ description: 'Where the value comes from.' }),
  })
  .openapi('Setting', { description: 'A setting of the process.' })

export const LIST_SETTINGS = {
  operationId: 'listSettings',
  route: 'GET /setting',
  scope: 'admin',
  tag,
  summary: 'List settings',
  description:
    'Lists the settings of this process in order of name. They are environment variables: change them there, then restart.',
  responses: { 200: { description: 'All items.', schema: z.object({ items: z.array(SettingJson) }) } },
} satisfies Operation

export const OPENAPI = {
  operationId: 'openapi',
  route: 'GET /openapi.json',
  scope: 'open',
  tag,
  summary: 'Get the OpenAPI document',
  description: 'The API as OpenAPI 3.1.',
  responses: {
    200: { description: 'An OpenAPI document.', schema: z.record(z.string(), z.unknown()) },
    304: { description: 'Not modified since the response with the ETag in If-None-Match.' },
  },
} satisfies Operation

export const REFERENCE = {
  operationId: 'reference',
  route: 'GET /docs',
  scope: 'open',
  tag,
  summary: 'Get the API reference',
  description:
    'The API reference as one HTML page that loads no other file. Its script adds the search and copy buttons.',
  responses: {
    200: { description: 'The page.', schema: z.string(), mediaType: 'text/html' },
    304: { description: 'Not modified since the response with the ETag in If-None-Match.' },
  },
} satisfies Operation
