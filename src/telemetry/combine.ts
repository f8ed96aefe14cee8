// Combines several telemetry sinks into one.
import type { Telemetry } from '../ports/telemetry.ts'

export function combine(...sinks: readonly Telemetry[]): Telemetry {
  return (notice) => {
    for (const sink of sinks) sink(notice)
  }
}
