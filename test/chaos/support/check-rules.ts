// Checks the evidence of a run by every rule.

import { DELIVERY_RULES } from '../rules/delivery.ts'
import { PEOPLE_RULES } from '../rules/people.ts'
import { RECOVERY_RULES } from '../rules/recovery.ts'
import type { Rule } from '../rules/rule.ts'
import { SCHEDULE_RULES } from '../rules/schedule.ts'
import { STATE_RULES } from '../rules/state.ts'
import type { Evidence } from './evidence.ts'

export const RULES: readonly Rule[] = [
  ...DELIVERY_RULES,
  ...STATE_RULES,
  ...SCHEDULE_RULES,
  ...PEOPLE_RULES,
  ...RECOVERY_RULES,
]

export type Broken = { rule: string; description: string; details: string[] }

export function check(evidence: Evidence): Broken[] {
  return RULES.map((rule) => ({
    rule: rule.name,
    description: rule.description,
    details: [...rule.check(evidence)],
  })).filter(({ details }) => details.length > 0)
}
