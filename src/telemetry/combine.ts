// One telemetry made of several.
import type { Telemetry } from '../ports/telemetry.ts'

export function combine(...sinks: readonly Telemetry[]): Telemetry {
  return (notice) => {
    for (const sink of sinks) sink(notice)
  }
}
