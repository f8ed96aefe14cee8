// What a claimed event will say, rendered once, before anything is sent.
import { TemplateError } from '../domain/errors.ts'
import { latenessOf } from '../domain/events/lateness.ts'
import { chooseText, renderBody, renderMailBody } from '../domain/messages/message.ts'
import type { Claim, Settlement } from '../ports/claim.ts'
import { type DeliverDeps, failed } from './settlement.ts'

export type Prepared = { kind: 'send'; body: string } | { kind: 'fail'; settlement: Settlement }

/** What a claimed event will say, or why it ends unsent. */
export function prepare(deps: DeliverDeps, claim: Claim, now: number): Prepared {
  const lateMs = now - claim.targetAt
  const { belatedAfterMs, missedAfterMs } = latenessOf(deps.lateness, claim.eventType)
  // A replay was asked for, however late.
  if (missedAfterMs !== null && lateMs > missedAfterMs && claim.replayOf === null) {
    const allowed = Math.floor(missedAfterMs / 1000)
    const reason = `MISSED_WINDOW: ${Math.floor(lateMs / 1000)} s late, more than the ${allowed} s that ${claim.eventType} may be.`
    return { kind: 'fail', settlement: failed(deps, claim, now, { reason, statusCode: null }) }
  }
  const belated = belatedAfterMs !== null && lateMs > belatedAfterMs
  try {
    const stored = deps.templates.choose(claim.eventType, claim.user.language)
    const text = chooseText(claim, stored, belated)
    if (deps.destinations.of(claim.occasion.channelId).kind === 'webhook')
      return { kind: 'send', body: renderBody(claim, claim.user, text, now) }
    const { email } = claim.user
    if (email === null) {
      const reason = 'NO_ADDRESS: the channel is e-mail, and the person has no address.'
      return { kind: 'fail', settlement: failed(deps, claim, now, { reason, statusCode: null }) }
    }
    return { kind: 'send', body: renderMailBody(claim, { ...claim.user, email }, text, now) }
  } catch (error) {
    // A bug met here would be met again at every claim: the event ends, its successor gets another chance.
    const reason = error instanceof TemplateError ? `${error.code}: ${error.message}` : 'RENDER_ERROR'
    if (reason === 'RENDER_ERROR')
      deps.telemetry({ kind: 'trouble', during: 'render', error, retryInMs: null })
    return { kind: 'fail', settlement: failed(deps, claim, now, { reason, statusCode: null }) }
  }
}
