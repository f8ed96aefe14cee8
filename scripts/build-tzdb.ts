// Builds src/domain/time/tzdb.json, or another file, from the IANA data and prints what changed. Owns the file's encoding.
// Never guesses a rule: rejects a source whose data ends before 2052.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import installed from 'moment-timezone/data/packed/latest.json' with { type: 'json' }

const FIRST_INSTANT = Date.UTC(1970, 0, 1) / 1000
const END = Date.UTC(2052, 0, 1) / 1000
const TABLE = new URL('../src/domain/time/tzdb.json', import.meta.url)
const LISTED = 25

const HELP = `Usage: node scripts/build-tzdb.ts [--from FILE] [--out FILE] [--check] [--help]

Builds src/domain/time/tzdb.json (1970 to the end of 2051) from moment-timezone/data/packed/latest.json
and prints what changed. Run it after updating the moment-timezone package.

  --from FILE  read this latest.json of moment-timezone instead of the installed one
  --out FILE   write to this file, for TERCE_TZDB; changes are still relative to src/domain/time/tzdb.json
  --check      write nothing; exit 1 if the checked-in file differs from a fresh build
  --help       print this text`

type Source = { version: string; zones: string[]; links: string[] }

/** The offsets of a zone: each applies from a second since 1970, in seconds east of UTC. The first entry starts at 0. */
type Law = { from: number; offset: number }[]
type Table = { version: string; zones: Record<string, string>; links: Record<string, string> }

// Base 60 with digits 0-9a-zA-X; a fraction counts sixtieths. The source gives minutes, so one unit is 60 seconds.
function secondsOf(packed: string): number {
  const sign = packed.startsWith('-') ? -1 : 1
  const [whole = '', fraction = ''] = packed.replace('-', '').split('.')
  let minutes = 0
  for (const digit of whole) minutes = minutes * 60 + digitOf(digit)
  let scale = 1
  for (const digit of fraction) {
    scale /= 60
    minutes += digitOf(digit) * scale
  }
  return Math.round(minutes * 60) * sign
}

function digitOf(character: string): number {
  const value = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWX'.indexOf(character)
  if (value < 0) throw new Error(`The source has "${character}", which is not a base 60 digit.`)
  return value
}

function unpack(line: string): { name: string; law: Law } {
  const [name = '', , offsets = '', indices = '', untils = ''] = line.split('|')
  // The source counts offsets westward; 0 - x rather than -x keeps UTC from becoming -0.
  const east = offsets.split(' ').map((packed) => 0 - secondsOf(packed))
  const law: Law = []
  let from = Number.NEGATIVE_INFINITY
  let until = 0
  const deltas = untils === '' ? [] : untils.split(' ')
  for (let i = 0; i < indices.length; i++) {
    const offset = east[digitOf(indices[i]!)]
    if (offset === undefined) throw new Error(`The source's zone ${name} names an offset it does not list.`)
    // Skips a change of abbreviation alone. Of the entries before 1970 only the last offset is kept.
    if (law.length > 0 && from <= FIRST_INSTANT) law[0] = { from: FIRST_INSTANT, offset }
    else if (law.at(-1)?.offset !== offset) law.push({ from: Math.max(from, FIRST_INSTANT), offset })
    const delta = deltas[i]
    until += delta === undefined ? 0 : secondsOf(delta)
    from = until
  }
  return { name, law }
}

function encode(law: Law): string {
  const offsets = [...new Set(law.map((entry) => entry.offset))]
  const indices = law.map((entry) => offsets.indexOf(entry.offset).toString(36)).join('')
  const deltas = law.slice(1).map((entry, i) => (entry.from - law[i]!.from).toString(36))
  return `${offsets.join(' ')}|${indices}|${deltas.join(' ')}`
}

function decode(line: string): Law {
  const [offsets = '', indices = '', deltas = ''] = line.split('|')
  const east = offsets.split(' ').map(Number)
  const steps = deltas === '' ? [] : deltas.split(' ')
  let from = FIRST_INSTANT
  return [...indices].map((index, i) => {
    if (i > 0) from += Number.parseInt(steps[i - 1]!, 36)
    return { from, offset: east[Number.parseInt(index, 36)]! }
  })
}

function readSource(path: string): Source {
  const source: unknown = JSON.parse(readFileSync(path, 'utf8'))
  const { version, zones, links } = source as Partial<Source>
  if (typeof version === 'string' && Array.isArray(zones) && Array.isArray(links))
    return { version, zones, links }
  throw new Error(`${path} is not a data/packed/latest.json of moment-timezone.`)
}

function build(source: Source): { table: Table; endsEarly: string[] } {
  const zones: Record<string, string> = {}
  const endsEarly: string[] = []
  let lastListed = FIRST_INSTANT
  for (const { name, law } of source.zones.map(unpack).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const last = law.at(-1)!.from
    lastListed = Math.max(lastListed, last)
    if (last < END && yearOf(last) > Number.parseInt(source.version, 10)) endsEarly.push(name)
    zones[name] = encode(law.filter((entry) => entry.from < END))
  }
  if (lastListed < END) {
    throw new Error(
      `moment-timezone lists no clock change after ${dayOf(lastListed)}, but the table must reach the end of 2051. ` +
        'Use moment-timezone 0.6 or newer, whose data runs to 2499.',
    )
  }
  const links: Record<string, string> = {}
  const pairs = source.links.map((link) => link.split('|') as [string, string])
  for (const [target, name] of pairs.sort((a, b) => (a[1] < b[1] ? -1 : 1))) links[name] = target
  return { table: { version: source.version, zones, links }, endsEarly }
}

// One zone for each line, so that a diff shows the zones that changed.
function write({ version, zones, links }: Table): string {
  const lines = (entries: Record<string, string>) =>
    Object.entries(entries)
      .map(([name, value]) => `"${name}":"${value}"`)
      .join(',\n')
  return `{"version":"${version}","zones":{\n${lines(zones)}\n},"links":{\n${lines(links)}\n}}\n`
}

function describeChange(before: Table, after: Table): string[] {
  const lines: string[] = []
  if (before.version !== after.version) lines.push(`version ${before.version} -> ${after.version}`)
  const namesBefore = Object.keys({ ...before.zones, ...before.links })
  const namesAfter = Object.keys({ ...after.zones, ...after.links })
  const added = namesAfter.filter((name) => !namesBefore.includes(name))
  const removed = namesBefore.filter((name) => !namesAfter.includes(name))
  if (added.length > 0) lines.push(`added: ${added.join(', ')}`)
  if (removed.length > 0) lines.push(`removed: ${removed.join(', ')}`)
  const different = namesAfter
    .filter((name) => namesBefore.includes(name))
    .map((name) => ({ name, change: firstDifference(lawOf(before, name), lawOf(after, name)) }))
    .filter(({ change }) => change !== null)
  for (const { name, change } of different.slice(0, LISTED)) lines.push(`${name}: ${change}`)
  if (different.length > LISTED)
    lines.push(`and ${different.length - LISTED} more names with different rules`)
  return lines
}

const lawOf = (table: Table, name: string): Law => decode(table.zones[table.links[name] ?? name] ?? '0|0|')

function firstDifference(before: Law, after: Law): string | null {
  const offsetAt = (law: Law, instant: number) => law.findLast((entry) => entry.from <= instant)!.offset
  const instants = [...before, ...after].map((entry) => entry.from).sort((a, b) => a - b)
  const at = instants.find((instant) => offsetAt(before, instant) !== offsetAt(after, instant))
  if (at === undefined) return null
  return `from ${dayOf(at)} ${hours(offsetAt(before, at))} -> ${hours(offsetAt(after, at))}`
}

const yearOf = (seconds: number) => new Date(seconds * 1000).getUTCFullYear()
const dayOf = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
const hours = (seconds: number) => `UTC${seconds < 0 ? '-' : '+'}${Math.abs(seconds) / 3600}`

function readOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      from: { type: 'string' },
      out: { type: 'string' },
      check: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  return values
}

function main({ from, out, check, help }: ReturnType<typeof readOptions>): number {
  if (help) {
    console.log(HELP)
    return 0
  }
  const { table, endsEarly } = build(from === undefined ? installed : readSource(from))
  const text = write(table)
  const existing = existsSync(TABLE) ? readFileSync(TABLE, 'utf8') : null

  console.log(
    `tz ${table.version}: ${Object.keys(table.zones).length} zones, ${Object.keys(table.links).length} links, ` +
      `1970 to 2051, ${Math.round(text.length / 1024)} KB`,
  )
  if (endsEarly.length > 0) {
    console.log(
      `clock changes end before 2052; check whether a law or a truncated source is the reason: ${endsEarly.join(', ')}`,
    )
  }
  if (existing === null) console.log('no table yet')
  else if (existing === text) console.log('no change')
  else {
    const changes = describeChange(JSON.parse(existing), table)
    console.log(changes.length > 0 ? changes.join('\n') : 'equal rules, different text')
  }
  if (check) {
    if (existing === text) return 0
    console.error('src/domain/time/tzdb.json differs from a fresh build. Run: npm run tzdb')
    return 1
  }
  if (out === undefined && existing === text) return 0
  writeFileSync(out ?? TABLE, text)
  console.log(`wrote ${out ?? 'src/domain/time/tzdb.json'}`)
  return 0
}

try {
  process.exitCode = main(readOptions(process.argv.slice(2)))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS') ? 2 : 1
}
