// The dependencies of closing a day.
import type { AppDeps } from '../app-deps.ts'
import type { SigningKeyDeps } from './signing-key.ts'

export type LedgerDeps = Pick<AppDeps, 'store' | 'clock' | 'telemetry' | 'planner'> &
  Pick<SigningKeyDeps, 'signer' | 'vault'>
