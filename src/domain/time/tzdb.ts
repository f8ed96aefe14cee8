// The timezone table: the UTC offset of each zone at each instant, from our own versioned IANA data.
// Never uses Intl, whose data is older and differs between runtimes.
import data from './tzdb.json' with { type: 'json' }

/** `gap`: the local time does not exist; it moved forward by the jump. `overlap`: it exists twice; this is the first. */
export type LocalConversion = { instant: number; offsetMs: number; kind: 'plain' | 'gap' | 'overlap' }

export type Zone = {
  readonly name: string
  /** Milliseconds east of UTC at that instant. */
  offsetMsAt(instant: number): number
  /** `localMs` is milliseconds since 1970-01-01T00:00 local time. */
  instantOf(localMs: number): LocalConversion
}

export type TimezoneTable = {
  /** The IANA release, such as `2026f`. */
  readonly version: string
  /** Every name, links included, in IANA spelling. */
  zones(): string[]
  /** The IANA spelling of a name given in any letter case, or null. A link keeps its name: Asia/Calcutta stays Asia/Calcutta. */
  canonicalName(input: string): string | null
  /** Throws a RangeError for a name that is not in the table. */
  zone(name: string): Zone
  /** The rules of a zone (of its target for a link) as a text to store and compare. Throws like `zone`. */
  rules(name: string): string
}

/** The offset from instant `at` on. The first change of a zone is at -Infinity. */
export type OffsetChange = { at: number; offsetMs: number }

/** Per zone `offsets in seconds|index of each segment's offset|seconds between segments, base 36`, from 1970 on. */
type TableData = { version: string; zones: Record<string, string>; links: Record<string, string> }

/** Segment i begins at `starts[i]`. From local time `localStarts[i]` on, a local time can only belong to segment i or later. */
type Segments = { starts: Float64Array; localStarts: Float64Array; offsets: Float64Array }

class TableZone implements Zone {
  readonly name: string
  private readonly segments: Segments

  constructor(name: string, segments: Segments) {
    this.name = name
    this.segments = segments
  }

  offsetMsAt(instant: number): number {
    const { starts, offsets } = this.segments
    return offsets[lastAtOrBefore(starts, instant)]!
  }

  // The last segment with start + max(offset, previous offset) <= local gives the offset: in a gap the offset before the
  // jump (so the time moves forward by the jump), in an overlap the offset of the first pass.
  instantOf(localMs: number): LocalConversion {
    const { starts, localStarts, offsets } = this.segments
    const at = lastAtOrBefore(localStarts, localMs)
    const offsetMs = offsets[at]!
    const instant = localMs - offsetMs
    if (at + 1 === starts.length) return { instant, offsetMs, kind: 'plain' }
    const nextStart = starts[at + 1]!
    const nextOffset = offsets[at + 1]!
    if (instant >= nextStart) return { instant, offsetMs: nextOffset, kind: 'gap' }
    return { instant, offsetMs, kind: localMs - nextOffset >= nextStart ? 'overlap' : 'plain' }
  }
}

function lastAtOrBefore(sorted: Float64Array, value: number): number {
  let low = 0
  let high = sorted.length - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (sorted[middle]! <= value) low = middle
    else high = middle - 1
  }
  return low
}

function decodeSegments(name: string, line: string): Segments {
  const parts = line.split('|')
  const seconds = parts[0]!.split(' ')
  const indices = parts[1] ?? ''
  const deltas = parts[2] ? parts[2].split(' ') : []
  if (parts.length !== 3 || indices.length !== deltas.length + 1) throw badZone(name, 'is incomplete')
  const starts = new Float64Array(indices.length)
  const localStarts = new Float64Array(indices.length)
  const offsets = new Float64Array(indices.length)
  let start = 0
  for (let i = 0; i < indices.length; i++) {
    const second = seconds[Number.parseInt(indices[i]!, 36)] ?? ''
    if (!/^(0|-?[1-9]\d{0,4})$/.test(second)) throw badZone(name, `has "${second}" for an offset`)
    offsets[i] = Number(second) * 1000
    if (i === 0) {
      starts[0] = localStarts[0] = Number.NEGATIVE_INFINITY
      continue
    }
    const delta = deltas[i - 1]!
    if (!/^[0-9a-z]{1,7}$/.test(delta)) throw badZone(name, `has "${delta}" for a number of seconds`)
    start += Number.parseInt(delta, 36) * 1000
    starts[i] = start
    localStarts[i] = start + Math.max(offsets[i]!, offsets[i - 1]!)
    if (!(localStarts[i]! > localStarts[i - 1]!)) throw badZone(name, 'is not in order of time')
  }
  return { starts, localStarts, offsets }
}

/** The offset changes of a zone, in order of time. */
export function readRules(name: string, rules: string): OffsetChange[] {
  const { starts, offsets } = decodeSegments(name, rules)
  return Array.from(starts, (at, i) => ({ at, offsetMs: offsets[i]! }))
}

function badZone(name: string, what: string): Error {
  return new Error(`Timezone table: zone "${name}" ${what}. Build the file with npm run tzdb.`)
}

function tableOf({ version, zones, links }: TableData): TimezoneTable {
  const lineOf = new Map(Object.entries(zones))
  for (const [name, target] of Object.entries(links)) lineOf.set(name, zones[target]!)
  const names = [...lineOf.keys()].sort()
  const spellings = new Map(names.map((name) => [name.toLowerCase(), name]))
  // Both caches are bounded by the table: their keys are its own names and lines, never a caller's input.
  const decoded = new Map<string, Segments>()
  const cache = new Map<string, Zone>()

  function canonicalName(input: string): string | null {
    if (lineOf.has(input)) return input
    // toLowerCase alone would turn the Kelvin sign into a k.
    return /^[\w+/-]+$/.test(input) ? (spellings.get(input.toLowerCase()) ?? null) : null
  }

  function known(input: string): string {
    const name = canonicalName(input)
    if (name !== null) return name
    throw new RangeError(`Unknown timezone "${input}". Use an IANA name such as Asia/Jakarta.`)
  }

  function load(input: string): Zone {
    const name = known(input)
    const line = lineOf.get(name)!
    let segments = decoded.get(line)
    if (segments === undefined) {
      segments = decodeSegments(name, line)
      decoded.set(line, segments)
    }
    const zone = new TableZone(name, segments)
    cache.set(name, zone)
    return zone
  }

  return {
    version,
    zones: () => [...names],
    canonicalName,
    zone: (name) => cache.get(name) ?? load(name),
    rules: (name) => lineOf.get(known(name))!,
  }
}

/** Builds a table from parsed JSON in the format of tzdb.json. Validates all of it and throws an Error for the first problem. */
export function loadTimezoneTable(data: unknown): TimezoneTable {
  const { version, zones, links } = (isRecord(data) ? data : {}) as Record<string, unknown>
  if (typeof version !== 'string' || !/^\d{4}[a-z]+$/.test(version)) {
    throw new Error('Timezone table: "version" must be an IANA release such as "2026f".')
  }
  if (!isTextRecord(zones) || !isTextRecord(links)) {
    throw new Error(
      'Timezone table: "zones" and "links" must be objects of text. Build the file with npm run tzdb.',
    )
  }
  const names = [...Object.keys(zones), ...Object.keys(links)]
  if (names.length === 0) throw new Error('Timezone table: it has no zones.')
  const seen = new Set<string>()
  for (const name of names) {
    if (!/^[\w+/-]+$/.test(name)) throw new Error(`Timezone table: "${name}" is not an IANA name.`)
    if (seen.has(name.toLowerCase())) throw new Error(`Timezone table: "${name}" is listed twice.`)
    seen.add(name.toLowerCase())
  }
  for (const [name, line] of Object.entries(zones)) decodeSegments(name, line)
  for (const [name, target] of Object.entries(links)) {
    if (!Object.hasOwn(zones, target)) {
      throw new Error(`Timezone table: link "${name}" points to "${target}", which is not a zone.`)
    }
  }
  return tableOf({ version, zones, links })
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isTextRecord(value: unknown): value is Record<string, string> {
  return isRecord(value) && Object.values(value).every((entry) => typeof entry === 'string')
}

/** The table that ships with this release. Not checked at start-up: the tests decode every zone of it. */
export const tzdb: TimezoneTable = tableOf(data)
