// How settlements are read, alike in both dialects.
import type { Settlement } from '../../ports/claim.ts'

/** The attempt that a settlement records beside the event; null if the event was not sent, or the event itself tells of it. */
export function failedAttempt(settlement: Settlement): { error: string; statusCode: number | null } | null {
  switch (settlement.kind) {
    case 'retry':
      return settlement
    case 'parked':
      return settlement.attempt
    case 'terminal':
    case 'release':
      return null
  }
}
