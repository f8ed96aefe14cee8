// One call of a Lambda function: when its work has to end, and what is kept for the next call.
import type { LambdaContext } from 'hono/aws-lambda'
import type { AwsHome } from './home.ts'

/** A function stops its work this long before its timeout. */
const MARGIN_MS = 2_000

export type Call = Pick<LambdaContext, 'getRemainingTimeInMillis' | 'awsRequestId'>

/** Caches a value for each home: `make` runs again only after the home was reopened. */
export function keptFor<T>(make: (home: AwsHome) => T): (home: AwsHome) => T {
  let kept: { home: AwsHome; value: T } | null = null
  return (home) => {
    if (kept?.home !== home) kept = { home, value: make(home) }
    return kept.value
  }
}

export function untilOf({ clock }: AwsHome, call: Call): number {
  return clock.now() + call.getRemainingTimeInMillis() - MARGIN_MS
}
