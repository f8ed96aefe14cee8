// The dependencies of closing a day.
import type { AppDeps } from '../app-deps.ts'

export type LedgerDeps = Pick<AppDeps, 'store' | 'clock' | 'telemetry' | 'planner'>
