// The instants at which the long tier runs tests again: hours of a day, days that few years have, and both clock changes of Europe.
const INSTANTS = [
  '2027-06-15T00:30:00Z',
  '2028-02-29T12:30:00Z',
  '2027-06-15T08:59:00Z',
  '2027-12-31T23:30:00Z',
  '2027-06-15T12:30:00Z',
  '2027-03-28T00:45:00Z',
  '2027-06-15T23:30:00Z',
  '2027-10-31T00:45:00Z',
] as const

const DAY = 86_400_000

/** Two instants, others each day. */
export function instantsOf(now: number): [string, string] {
  const first = (2 * Math.floor(now / DAY)) % INSTANTS.length
  return [INSTANTS[first]!, INSTANTS[first + 1]!]
}
