// The session operations, as the OpenAPI document describes them.
import { z } from '@hono/zod-openapi'
import { flag } from '../../api/fields.ts'
import { SCOPES } from '../../domain/access/api-key.ts'
import type { Operation } from '../server/operation.ts'

const tag = 'Dashboard'

const SessionJson = z.object({
  open: z.boolean().openapi({ description: 'No key exists: this computer has full access.' }),
  scope: z
    .enum(SCOPES)
    .nullable()
    .openapi({ description: 'The scope of the caller; null if not signed in.' }),
  hasSession: z.boolean().openapi({
    description: 'Whether the browser has a session that it can end. A caller with a key has none.',
  }),
  inbox: z.boolean().openapi({ description: 'Whether there is a built-in inbox.' }),
  retries: z
    .array(z.number())
    .openapi({ description: 'The shortest wait before each retry, in milliseconds.' }),
  deliverAt: z.string().openapi({ example: '09:00' }),
  version: z.string(),
})

export const READ_SESSION = {
  operationId: 'readSession',
  isSignIn: true,
  route: 'GET /session',
  scope: 'open',
  tag,
  summary: 'Get the session',
  description: 'Returns the scope of the caller, for the dashboard.',
  responses: { 200: { description: 'The session.', schema: SessionJson } },
  problems: ['FORBIDDEN_ADDRESS', 'DATABASE_UNAVAILABLE'],
} satisfies Operation

const SignIn = z
  .strictObject({ key: z.string().min(1, 'Must not be empty.').max(300, 'Must be at most 300 characters.') })
  .openapi('SignIn')

export const SIGN_IN = {
  operationId: 'signIn',
  route: 'POST /session',
  scope: 'open',
  audit: { action: 'session.created', noted: true },
  isSignIn: true,
  tag,
  summary: 'Sign in',
  description:
    'Starts a session with the scope of the key, and stores its token in an HttpOnly cookie that other sites cannot use. The session ends after 12 hours without a request, 30 days after sign-in, and with its key.',
  body: { schema: SignIn },
  responses: { 200: { description: 'Signed in.', schema: SessionJson } },
  problems: ['UNAUTHORIZED', 'FORBIDDEN_ADDRESS', 'DATABASE_UNAVAILABLE'],
} satisfies Operation

export const SIGN_OUT = {
  operationId: 'signOut',
  route: 'DELETE /session',
  scope: 'open',
  audit: { action: 'session.ended', noted: true },
  tag,
  summary: 'Sign out',
  description:
    'Ends the session of the caller and deletes the cookie. With `everywhere=true`, every browser that signed in with the same key is signed out, in every process within seconds.',
  query: z.strictObject({ everywhere: flag('End all sessions of the key.') }),
  responses: { 204: { description: 'Signed out.' } },
  problems: ['DATABASE_UNAVAILABLE'],
} satisfies Operation
