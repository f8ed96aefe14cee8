// The columns of the rules by which the events of a timezone were last planned.
import type { ZoneRecord } from '../../../ports/store.ts'
import type { Columns } from './columns.ts'

export const ZONE = {
  name: ['text', (zone) => zone.name],
  rules: ['text', (zone) => zone.rules],
  version: ['text', (zone) => zone.version],
  previous_rules: ['text', (zone) => zone.previousRules],
  previous_version: ['text', (zone) => zone.previousVersion],
  changed_at: ['instant', (zone) => zone.changedAt],
  replan_cursor: ['text', (zone) => zone.replanCursor],
} satisfies Columns<ZoneRecord>
