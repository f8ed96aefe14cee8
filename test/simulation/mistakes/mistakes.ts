// Every mistake that can be planted: one for each invariant, or for several.
import type { Mistake } from '../support/world.ts'
import { CLAIM_MISTAKES } from './claims.ts'
import { DELIVERY_MISTAKES } from './deliveries.ts'
import { PLAN_MISTAKES } from './plans.ts'
import { QUEUE_MISTAKES } from './queue.ts'

export const MISTAKES: readonly Mistake[] = [
  ...CLAIM_MISTAKES,
  ...DELIVERY_MISTAKES,
  ...PLAN_MISTAKES,
  ...QUEUE_MISTAKES,
]
