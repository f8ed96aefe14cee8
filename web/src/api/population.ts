// How many people there are, and where. The server counts millions of people only now and then; while one page holds
// all people, count that page.
import { offsetIn } from '../clock/format.ts'
import { now } from '../clock/now.ts'
import { isDemo, usePeople } from './people.ts'
import { useToday } from './today.ts'
import type { Today } from './types.ts'

/** With this many people the first page does not hold them all, so it is not requested. */
const MANY = 1_000

export type Population = { people: number; zones: Today['zones']; hasDemo: boolean }

/** Undefined until loaded. */
export function usePopulation(): Population | undefined {
  const today = useToday().data
  const isFew = today !== undefined && today.counts.people < MANY
  const page = usePeople({}, { enabled: isFew }).data
  const hasDemo = page?.items.some(isDemo) ?? false
  if (page !== undefined && page.nextCursor === null) {
    const byZone = Map.groupBy(page.items, ({ timezone }) => timezone)
    const zones = [...byZone].map(([timezone, people]) => ({
      timezone,
      people: people.length,
      offsetMinutes: offsetIn(timezone, now()),
    }))
    return { people: page.items.length, zones, hasDemo }
  }
  return today && { people: today.counts.people, zones: today.zones, hasDemo }
}
