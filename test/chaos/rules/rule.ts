// A rule: a name, a sentence, and a check of the evidence that yields every violation.
import type { Evidence } from '../support/evidence.ts'

export type Rule = {
  name: string
  /** One sentence for a user of the product. */
  description: string
  check(evidence: Evidence): Iterable<string>
}
