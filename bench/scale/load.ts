// Loads the people of a scale run by `terce import`. No birthday is within the next days, so that only the events of a step are
// due while it runs.
import { crowdFields } from '../product/crowd.ts'
import { importInto, writePeople } from '../product/import.ts'
import type { ScaleHome } from './scale-home.ts'

/** The people with the lowest numbers live in one zone, for the replan. */
export const ZONE = 'Asia/Tokyo'
export const IN_ZONE = 1_000_000
const DAY_MS = 24 * 60 * 60 * 1000
const [FIRST_DAY, DAYS] = [10, 340]

function fieldsOf(i: number) {
  const day = new Date(Date.now() + (FIRST_DAY + ((i * 7919) % DAYS)) * DAY_MS).toISOString()
  const crowd = crowdFields(i)
  return {
    ...crowd,
    dateOfBirth: `1992-${day.slice(5, 10)}`,
    timezone: i < IN_ZONE ? ZONE : crowd.timezone,
  }
}

export async function load({ home, command, people }: ScaleHome) {
  const file = await writePeople(people, fieldsOf)
  const { perSecond, seconds } = await importInto(home, command, { file, people })
  await home.settleDown()
  return { loadPerSecond: perSecond, loadSeconds: seconds, bytesPerPerson: (await home.diskBytes()) / people }
}
