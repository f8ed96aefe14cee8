// Looks at what the API tells: timezones, what is due, what failed, the channels, and how long attempts take.
import { type Client, type components, TerceError } from '../../client/client.ts'
import { inWords } from '../output/news.ts'
import { grouped } from '../output/rehearsal-report.ts'
import { type Check, fail, ok, warn } from './check.ts'

type Schemas = components['schemas']

/** The lease is null where it is not known, as it is of another process. */
export async function checkService(client: Client, leaseMs: number | null): Promise<Check[]> {
  const [today, timezones] = [await client.get('/today'), await client.get('/tz')]
  return [
    checkTimezones(timezones),
    checkDue(today),
    checkDeliveries(today),
    ...(leaseMs === null ? [] : [checkLease(await attemptsOf(client, today), leaseMs)]),
    ...(await checkChannels(client)),
  ]
}

export function checkTimezones({ version, recorded, state, differs }: Schemas['Timezones']): Check {
  const by = `It plans by IANA ${version}`
  switch (state) {
    case 'CURRENT':
      return ok('timezones', `${by}, and nothing differs from what was planned.`)
    case 'UNRECORDED':
      return ok('timezones', `${by}; nothing was planned yet.`)
    case 'TABLE_OLDER':
      return fail('timezones', `${by}, and events were planned by ${recorded[0]}.`, 'Upgrade this release.')
    case 'REPLAN_DUE': {
      const people = differs.reduce((sum, one) => sum + one.people, 0)
      const places = differs.map((one) => `${one.zone} (${grouped(one.people)})`)
      const shown = `${places.slice(0, 5).join(', ')}${places.length > 5 ? ', …' : ''}`
      const text = `${by}, and events of ${grouped(people)} people were planned by other rules: ${shown}.`
      return warn('timezones', text, 'Run terce tz replan. Starting does it, too.')
    }
  }
}

const LATE_MS = 60_000
const LOST_MS = 10 * 60_000

/** What fell due and was not taken: nobody is at work. */
export function checkDue({ now, wave, counts }: Pick<Schemas['Today'], 'now' | 'wave' | 'counts'>): Check {
  const untaken = wave.filter(
    ({ dueAt, toCome }) => toCome > 0 && Date.parse(now) - Date.parse(dueAt) > LATE_MS,
  )
  const count = untaken.reduce((sum, { toCome }) => sum + toCome, 0)
  if (count === 0) return ok('work', `Nothing waits to be taken; ${grouped(counts.inFlight)} under way.`)
  const lateMs = Date.parse(now) - Math.min(...untaken.map(({ dueAt }) => Date.parse(dueAt)))
  const text = `${grouped(count)} ${count === 1 ? 'event' : 'events'} that fell due up to ${inWords(lateMs)} ago ${count === 1 ? 'was' : 'were'} not taken.`
  return (lateMs > LOST_MS ? fail : warn)(
    'work',
    text,
    'Start terce, or terce worker, and look into its log.',
  )
}

function checkDeliveries({ counts, lateness }: Schemas['Today']): Check {
  const { sent24h, failed24h, waiting, ambiguous24h } = counts
  const late = lateness === null ? '' : `, 95 of 100 within ${inWords(lateness.p95Ms)}`
  const unsure = ambiguous24h === 0 ? '' : `, ${grouped(ambiguous24h)} perhaps twice`
  const text = `In 24 hours ${grouped(sent24h)} sent${late}${unsure}, ${grouped(failed24h)} failed; ${grouped(waiting)} to be tried again.`
  if (failed24h === 0) return ok('deliveries', text)
  return warn('deliveries', text, 'terce tail --failed shows them, terce replay sends them again.')
}

/** How long each of the latest took, in milliseconds. */
async function attemptsOf(client: Client, { recent }: Schemas['Today']): Promise<number[]> {
  const stories = await Promise.all(
    recent.map(({ id }) => client.get('/event/{id}', { path: { id } }).catch(() => null)),
  )
  return stories
    .flatMap((story) => story?.attempts ?? [])
    .filter(({ outcome }) => outcome !== 'UNKNOWN')
    .map(({ startedAt, finishedAt }) => Date.parse(finishedAt) - Date.parse(startedAt))
}

export function checkLease(durationsMs: readonly number[], leaseMs: number): Check {
  const lease = `LEASE_MS=${leaseMs}`
  if (durationsMs.length === 0) return ok('lease', `${lease}; nothing was sent of late to hold it against.`)
  const sorted = durationsMs.toSorted((a, b) => a - b)
  const p95 = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))]!
  const text = `${lease}; 95 of 100 attempts end within ${inWords(p95)}.`
  if (p95 <= leaseMs / 2) return ok('lease', text)
  // A live worker renews its leases: only one that halts for as long loses them, and sends twice.
  return warn('lease', text, `Raise LEASE_MS to ${Math.ceil((p95 * 4) / 1000) * 1000} or more.`)
}

async function checkChannels(client: Client): Promise<Check[]> {
  let items: Schemas['Channel'][]
  try {
    ;({ items } = await client.get('/channel'))
  } catch (error) {
    if (!(error instanceof TerceError && error.code === 'FORBIDDEN')) throw error
    return [warn('channels', 'They were not looked at.', 'Give a key of scope admin.')]
  }
  const idle = items.filter(({ status }) => status !== 'ACTIVE')
  if (items.length === 0) return [ok('channels', 'None is set up.')]
  if (idle.length === 0) return [ok('channels', `${grouped(items.length)} set up, none of them at rest.`)]
  return idle.map(({ id, name, status, statusReason }) => {
    const text = `"${name}" is ${status}${statusReason === null ? '' : `: ${statusReason}`}.`
    return warn('channels', text, `Put its far side right, then POST /channel/${id}/resume.`)
  })
}
