// Timezones: the rules that events were planned by.

/** A timezone as this database knows it: the rules and the release that its events were last planned by. */
export type ZoneRecord = {
  name: string
  /** In the form of the timezone table. */
  rules: string
  version: string
  /** The rules before the last change, and their release; null if they never changed. */
  previousRules: string | null
  previousVersion: string | null
  changedAt: number | null
  /** How far a replan in parts has come: src/app/timezones/replan-due.ts. Null if none was begun since the last change. */
  replanCursor: string | null
}

export type ZoneStore = {
  listZones(): Promise<ZoneRecord[]>

  /** Writes all of the zones. With `onlyNew`, a zone that is recorded already keeps its record. */
  saveZones(zones: readonly ZoneRecord[], how?: { onlyNew: boolean }): Promise<void>

  /** Saves how far a replan has come in a zone, if the zone still has the rules of that release. */
  saveReplanCursor(zone: Pick<ZoneRecord, 'name' | 'version' | 'replanCursor'>): Promise<void>
}
