// Claims and settles events of the test app, as a worker does.
import type { Settlement } from '../../../src/ports/claim.ts'
import { ADA, type TestApp } from './test-app.ts'

export const DUE = Date.parse('2026-12-15T17:00:00.000Z')

export async function createPerson({ post }: TestApp, over: object = {}) {
  const { json } = await post('/user', { ...ADA, ...over })
  return json as { user: { id: string }; nextBirthdayEvent: { id: string; idempotencyKey: string } }
}

type Ending =
  | Partial<Settlement & { kind: 'terminal' }>
  | Partial<Settlement & { kind: 'retry' }>
  | Partial<Settlement & { kind: 'release' }>

/** Claims all events due at the instant and settles each with the outcome; `null` for a worker that dies. */
export async function work(
  { store }: TestApp,
  at: number,
  end: Ending | null,
  claimedBy = 'worker-1',
): Promise<string[]> {
  const claims = await store.claimDue({
    now: at,
    limit: 1_000,
    leaseMs: 60_000,
    claimedBy,
    render: ({ user }) => JSON.stringify({ message: `Hey, ${user.firstName}` }),
  })
  if (end === null) return claims.map(({ id }) => id)
  const settlements = claims.map((claim) => {
    const ref = { eventId: claim.id, version: claim.version, at: at + 200 }
    if (end.kind === 'release') return { ...ref, wakeAt: at + 5_000, attempt: null, ...end }
    if (end.kind === 'retry') {
      return { ...ref, wakeAt: at + 5_000, error: 'HTTP 503', statusCode: 503, ...end }
    }
    return {
      ...ref,
      kind: 'terminal' as const,
      status: 'COMPLETED' as const,
      failure: null,
      statusCode: 200,
      planRevision: claim.planRevision,
      successor: null,
      ...end,
    }
  })
  return (await store.settle(settlements as Settlement[])).settled
}

export const FAILED = {
  status: 'FAILED',
  failure: { code: 'HTTP 410', lastError: 'HTTP 410' },
  statusCode: 410,
} as const
