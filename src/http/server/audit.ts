// Records audited operations and rejected requests. The table lists every audited operation; handlers record nothing
// themselves, except what the response does not contain.
import type { Context, MiddlewareHandler } from 'hono'
import type { Audit } from '../../app/access/audit.ts'
import type { AuditAction, AuditRecord } from '../../domain/settings/audit.ts'
import { callerAddress } from './caller/address.ts'
import { PROBLEMS, Problem } from './problem.ts'

declare module 'hono' {
  interface ContextVariableMap {
    audit: Audit
    /** `key:<id>`, `session:<id>`, `environment:<name>`, `host:<name>` or `cli`; null for a caller without a key. */
    actor: string | null | undefined
    auditNote: AuditNote | undefined
    dryRun: true | undefined
    /** The caller gave a key that does not exist. */
    hasUnknownKey: true | undefined
  }
}

type AuditNote = Pick<AuditRecord, 'object' | 'details'> & { actor?: string }

type Rule = {
  action: AuditAction
  /** The kind of the object whose id is in the path. */
  kind?: string
  /** Reads the object or the counts from the JSON of the response. */
  read?: (json: Json) => Partial<AuditNote>
  /** True if nothing is recorded unless the handler noted the object. */
  noted?: true
  /** Reads of one caller in a minute are one entry, with a count. */
  counted?: true
}

// biome-ignore lint/suspicious/noExplicitAny: responses of many operations
type Json = any

/** Copies the counts with these names. */
const counts = (...names: string[]) => ({
  read: (json: Json) => ({ details: Object.fromEntries(names.map((name) => [name, Number(json[name])])) }),
})

const template = (action: AuditAction): Rule => ({ action, kind: 'template' })

/** By operation id. */
export const AUDITED: Readonly<Record<string, Rule>> = {
  createKey: {
    action: 'key.created',
    read: ({ apiKey }) => ({ object: { kind: 'key', id: apiKey.id }, details: { scope: apiKey.scope } }),
  },
  revokeKey: { action: 'key.revoked', kind: 'key' },
  signIn: { action: 'session.created', noted: true },
  signOut: { action: 'session.ended', noted: true },
  revokeSession: { action: 'session.revoked', kind: 'session' },
  createChannel: {
    action: 'channel.created',
    read: ({ channel }) => ({ object: { kind: 'channel', id: channel.id } }),
  },
  changeChannel: { action: 'channel.changed', kind: 'channel' },
  pauseChannel: { action: 'channel.paused', kind: 'channel' },
  disableChannel: { action: 'channel.disabled', kind: 'channel' },
  resumeChannel: { action: 'channel.resumed', kind: 'channel' },
  deleteChannel: { action: 'channel.deleted', kind: 'channel' },
  testChannel: { action: 'channel.tested', kind: 'channel' },
  rotateChannelSecret: { action: 'secret.rotated', kind: 'channel' },
  putTemplate: template('template.changed'),
  putTemplateForLanguage: template('template.changed'),
  deleteTemplate: template('template.deleted'),
  deleteTemplateForLanguage: template('template.deleted'),
  createFeed: { action: 'feed.created', read: ({ id }) => ({ object: { kind: 'feed', id } }) },
  deleteFeed: { action: 'feed.deleted', kind: 'feed' },
  exportUsers: { action: 'people.exported', counted: true },
  importUsers: { action: 'people.imported', ...counts('created') },
  createUsers: { action: 'people.imported', ...counts('created') },
  loadDemo: { action: 'people.imported', ...counts('loaded') },
  wipeDemo: { action: 'people.erased', ...counts('wiped') },
  deleteUser: { action: 'person.erased', kind: 'user' },
  deletePeople: { action: 'people.erased', ...counts('deleted') },
  pausePeople: { action: 'people.paused', ...counts('changed') },
  resumePeople: { action: 'people.resumed', ...counts('changed') },
  sendEventNow: { action: 'event.advanced', kind: 'event' },
  replayEvent: { action: 'event.replayed', kind: 'event' },
  buildRequest: { action: 'event.signed', kind: 'event' },
  replayEvents: { action: 'events.replayed', ...counts('replayed') },
  replanTimezones: { action: 'timezones.replanned' },
}

/** Gives operations the audit log. */
export function withAudit(audit: Audit): MiddlewareHandler {
  return async (c, next) => {
    c.set('audit', audit)
    await next()
  }
}

/** Adds the object of an action that neither the path nor the response names. */
export function noteForAudit(c: Context, note: AuditNote): void {
  c.set('auditNote', note)
}

/** A dry run changes nothing, and is not recorded. */
export function markDryRun(c: Context, ...parts: unknown[]): void {
  if (parts.some((part) => (part as { dryRun?: boolean } | undefined)?.dryRun === true)) c.set('dryRun', true)
}

/** Runs an operation and records it. A dry run and the repetition of a stored response are not recorded. */
export async function audited(
  c: Context,
  operationId: string,
  run: () => Promise<Response>,
): Promise<Response> {
  const rule = AUDITED[operationId]
  let response: Response
  try {
    response = await run()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { soFar } = error
    if (rule === undefined || !soFar?.created || c.get('dryRun'))
      await recordRejection(c, operationId, PROBLEMS[error.code].status)
    else {
      // An import that an error ended has created people too. If the database is down, the caller gets that error.
      const action = { ...caller(c), action: rule.action, object: null, ...rule.read?.(soFar) }
      await c
        .get('audit')
        .record(action)
        .catch(() => {})
    }
    throw error
  }
  // GET /session responds to an unknown key as to a caller without one.
  if (c.get('hasUnknownKey')) await recordRejection(c, operationId, 401)
  if (rule === undefined || c.get('dryRun') || response.headers.has('Idempotent-Replayed')) return response
  const note = c.get('auditNote')
  if (rule.noted && note === undefined) return response
  const read = rule.read?.(await response.clone().json())
  const record = { ...caller(c), action: rule.action, object: objectIn(c, rule), ...read, ...note }
  await (rule.counted ? c.get('audit').count(record) : c.get('audit').record(record))
  return response
}

/** Attacker-controlled text, such as the path, is not recorded. */
async function recordRejection(c: Context, operationId: string, status: number): Promise<void> {
  const isDenied = status === 401 || status === 403 || status === 429
  const rule = AUDITED[operationId]
  if (!isDenied && (rule === undefined || status >= 500)) return
  const isSignIn = operationId === 'signIn' || operationId === 'readSession'
  const denied = isSignIn ? 'session.rejected' : 'request.rejected'
  await c.get('audit').count({
    ...caller(c),
    action: isDenied ? denied : rule!.action,
    object: null,
    rejectedWith: status,
    details: { operation: operationId },
  })
}

function caller(c: Context): Pick<AuditRecord, 'actor' | 'address'> {
  return { actor: c.get('actor') ?? null, address: callerAddress(c)?.slice(0, 64) ?? null }
}

function objectIn(c: Context, { kind }: Rule): AuditRecord['object'] {
  if (kind === undefined) return null
  const id = Object.values(c.req.param() as Record<string, string>).join('/')
  return { kind, id }
}
