// What a rule is: a name, a sentence, and a look at the evidence that names everything wrong with it.
import type { Evidence } from '../support/evidence.ts'

export type Rule = {
  name: string
  /** As a user would read it. */
  words: string
  look(evidence: Evidence): Iterable<string>
}
