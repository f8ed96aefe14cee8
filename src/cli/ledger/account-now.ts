// `terce ledger --day D --now`: the account of a day that is not closed, computed from the database and not stored.
import { accountNow } from '../../app/ledger/account-now.ts'
import { explainLines } from '../../app/ledger/read-ledger.ts'
import { createIds } from '../../domain/events/uuid.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'
import { dayJson, lineJson } from '../../http/ledger/json.ts'
import { ConfigError } from '../../runtimes/config/config.ts'
import type { Entry } from '../entry.ts'
import { createProgress } from '../output/progress.ts'
import { countPeople } from '../output/words.ts'
import { withRemote } from '../remote.ts'
import { isPlain, printAccount, type ShowOptions } from './show.ts'

/** Throws if the day has unexplained or surplus lines. */
export async function showUnclosed(entry: Entry, day: string, options: ShowOptions): Promise<void> {
  requireBegun(day, entry.now)
  await withRemote(options, entry, async ({ client, local }) => {
    if (local === null)
      throw new ConfigError(['--now computes the account from a database. Unset TERCE_URL, and omit --url.'])
    const { counts } = await client.get('/today')
    const { store, clock } = local.database
    const planner = { ids: createIds(Math.random), table: local.config.timezoneTable }
    const deps = { store, clock, planner, telemetry() {} }
    const progress = createProgress(process.stderr)
    const account = await accountNow(deps, day, {
      mayContinue(people) {
        // The last share is for what follows the people: deletions, and rows that vanished.
        progress(Math.min(0.99, people / Math.max(1, counts.people)), countPeople(people), people)
        return true
      },
    })
    const { people } = account.day
    progress(1, countPeople(people), people)
    const lines = (await explainLines(deps, account.lines)).map(lineJson)
    const shown = lines.filter((line) => options.all || !isPlain(line))
    const note = 'Computed now, and not stored.'
    await printAccount({ day: dayJson(account.day), note, lines: shown }, options.json === true)
  })
}

/** A day begins first in the timezones that are 14 hours ahead of UTC. */
const AHEAD_MS = 14 * 3_600_000

function requireBegun(day: string, now: number): void {
  const beginsAt = Date.parse(day) - AHEAD_MS
  if (now >= beginsAt) return
  throw new ConfigError([`${day} begins in the first timezone at ${formatInstant(beginsAt)}.`])
}
