// What the operations that let a browser in promise, for the OpenAPI document and the reference page.
import { z } from '@hono/zod-openapi'
import { SCOPES } from '../../domain/settings/api-key.ts'
import type { Operation } from '../server/operation.ts'
import { BODY_PROBLEMS } from '../server/problem.ts'

const tag = 'Dashboard'

export const SessionJson = z.object({
  open: z.boolean().openapi({ description: 'Nobody has made a key: this machine may do everything.' }),
  scope: z
    .enum(SCOPES)
    .nullable()
    .openapi({ description: 'What you may do; null if you are not signed in.' }),
  inbox: z.boolean().openapi({ description: 'Whether there is a built-in inbox.' }),
  retries: z
    .array(z.number())
    .openapi({ description: 'The longest wait before each retry, in milliseconds.' }),
  deliverAt: z.string().openapi({ example: '09:00' }),
  version: z.string(),
})

export const READ_SESSION = {
  operationId: 'readSession',
  method: 'get',
  path: '/session',
  scope: 'open',
  tag,
  summary: 'Who am I',
  description: 'What this caller may do, for a page to know what to show.',
  responses: { 200: { description: 'What you may do.', schema: SessionJson } },
  problems: [],
} satisfies Operation

export const SignIn = z
  .strictObject({ key: z.string().min(1, 'Give a key.').max(300, 'That is no key.') })
  .openapi('SignIn')

export const SIGN_IN = {
  operationId: 'signIn',
  method: 'post',
  path: '/session',
  scope: 'open',
  tag,
  summary: 'Sign in a browser',
  description: 'Puts an API key into a cookie that no script can read and no other site can use.',
  rateLimited: true,
  body: { schema: SignIn },
  responses: { 200: { description: 'Signed in.', schema: SessionJson } },
  problems: ['INVALID_INPUT', 'UNAUTHORIZED', 'RATE_LIMITED', ...BODY_PROBLEMS],
} satisfies Operation

export const SIGN_OUT = {
  operationId: 'signOut',
  method: 'delete',
  path: '/session',
  scope: 'open',
  tag,
  summary: 'Sign a browser out',
  description: 'Takes the cookie away.',
  responses: { 204: { description: 'Signed out.' } },
  problems: [],
} satisfies Operation
