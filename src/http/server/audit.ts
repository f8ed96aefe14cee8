// Records audited operations and rejected requests, by the rule of each operation. Handlers record nothing themselves,
// except what the response does not contain.
import type { Context, MiddlewareHandler } from 'hono'
import { PROBLEMS, Problem } from '../../api/problem.ts'
import type { Audit } from '../../app/access/audit.ts'
import type { AuditAction, AuditRecord } from '../../domain/access/audit.ts'
import { callerAddress } from './caller/address.ts'

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

export type AuditRule = {
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

export type AuditedOperation = {
  /** Names the call in generated clients. */
  operationId: string
  audit?: AuditRule | null
  /** True if a rejected call is recorded as a rejected sign-in. */
  isSignIn?: true
}

// biome-ignore lint/suspicious/noExplicitAny: responses of many operations
type Json = any

/** Reads the counts with these names. */
export const counts =
  (...names: string[]) =>
  (json: Json) => ({ details: Object.fromEntries(names.map((name) => [name, Number(json[name])])) })

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

/** Runs an operation and records it. A dry run is not recorded. */
export async function audited(
  c: Context,
  operation: AuditedOperation,
  run: () => Promise<Response>,
): Promise<Response> {
  const { audit: rule } = operation
  let response: Response
  try {
    response = await run()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { soFar } = error
    if (!rule || !soFar?.created || c.get('dryRun'))
      await recordRejection(c, operation, PROBLEMS[error.code].status)
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
  if (c.get('hasUnknownKey')) await recordRejection(c, operation, 401)
  if (!rule || c.get('dryRun')) return response
  const note = c.get('auditNote')
  if (rule.noted && note === undefined) return response
  const read = rule.read?.(await response.clone().json())
  const record = { ...caller(c), action: rule.action, object: objectIn(c, rule), ...read, ...note }
  await (rule.counted ? c.get('audit').count(record) : c.get('audit').record(record))
  return response
}

/** Attacker-controlled text, such as the path, is not recorded. */
async function recordRejection(
  c: Context,
  { operationId, audit: rule, isSignIn }: AuditedOperation,
  status: number,
): Promise<void> {
  const isDenied = status === 401 || status === 403 || status === 429
  if (!isDenied && (!rule || status >= 500)) return
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

function objectIn(c: Context, { kind }: AuditRule): AuditRecord['object'] {
  if (kind === undefined) return null
  const id = Object.values(c.req.param() as Record<string, string>).join('/')
  return { kind, id }
}
