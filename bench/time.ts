// Measures how many next occurrences one core computes per second. Asserts nothing.
import { nextOccurrence, type YearlyRule } from '../src/domain/occasions/next-occurrence.ts'
import { tzdb } from '../src/domain/time/tzdb.ts'

const CASES = 100_000
const ROUNDS = 12

// A fixed seed (mulberry32), so that two runs compute the same cases and print the same checksum.
let seed = 9
function random(limit: number): number {
  seed = (seed + 0x6d2b79f5) | 0
  let bits = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
  return Math.floor((((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32) * limit)
}

const names = tzdb.zones()
const end = Date.UTC(2050, 0, 1)
const rules: YearlyRule[] = []
const nows: number[] = []
for (let i = 0; i < CASES; i++) {
  const date = new Date(Date.UTC(1930 + random(90), 0, 1 + random(366))).toISOString().slice(0, 10)
  const localTime = random(4) > 0 ? '09:00' : `${String(random(24)).padStart(2, '0')}:30`
  rules.push({ date, localTime, timezone: names[random(names.length)]!, leapDay: 'MARCH_1' })
  nows.push(random(end))
}

let best = Number.POSITIVE_INFINITY
let checksum = 0
for (let round = 0; round < ROUNDS; round++) {
  checksum = 0
  const started = performance.now()
  for (let i = 0; i < CASES; i++) {
    const { instant, occursOn } = nextOccurrence(rules[i]!, nows[i]!)
    checksum = (checksum + instant / 1000 + occursOn.charCodeAt(9)) % 1_000_000_007
  }
  best = Math.min(best, performance.now() - started)
}

const perSecond = Math.round(CASES / (best / 1000))
console.log(
  `${perSecond.toLocaleString('en')} next occurrences per second on one core (best of ${ROUNDS} rounds)`,
)
console.log(
  `${names.length} zones, ${CASES.toLocaleString('en')} random cases, tz ${tzdb.version}, checksum ${checksum}`,
)
