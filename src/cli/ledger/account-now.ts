// `terce ledger --day D --now`: the account of a day that is not closed, computed from the database and not stored.
import { accountPages } from '../../app/ledger/account-pages.ts'
import { explainLines } from '../../app/ledger/read-ledger.ts'
import { createIds } from '../../domain/events/uuid.ts'
import { countLine, noCounts, rankOf, type StoredLine } from '../../domain/ledger/line.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'
import { dayJson, lineJson } from '../../http/ledger/json.ts'
import { ConfigError } from '../../runtimes/config/config.ts'
import type { Entry } from '../entry.ts'
import { createProgress } from '../output/progress.ts'
import { countPeople } from '../output/words.ts'
import { type Remote, withRemote } from '../remote.ts'
import { isPlain, printAccount, type ShowOptions } from './show.ts'

/** Throws if the day has unexplained or surplus lines. */
export async function showUnclosed(entry: Entry, day: string, options: ShowOptions): Promise<void> {
  requireBegun(day, entry.now)
  await withRemote(options, entry, async ({ client, local }) => {
    if (local === null)
      throw new ConfigError(['--now computes the account from a database. Unset TERCE_URL, and omit --url.'])
    const { counts } = await client.get('/today')
    const { people, lines } = await compute(local, day, counts.people)
    const totals = noCounts()
    for (const line of lines) countLine(totals, line)
    const deps = { store: local.database.store, planner: { table: local.config.timezoneTable } }
    const explained = await explainLines(
      deps,
      lines.sort((a, b) => rankOf(a) - rankOf(b)),
    )
    const shown = explained.map(lineJson).filter((line) => options.all || !isPlain(line))
    const stored = {
      day,
      people,
      ...totals,
      startedAt: entry.now,
      closedAt: null,
      cursor: null,
      tzVersion: null,
      hash: null,
      reportedAt: null,
      prunedAt: null,
    }
    const note = 'Computed now, and not stored.'
    await printAccount({ day: dayJson(stored), note, lines: shown }, options.json === true)
  })
}

/** A day begins first in the timezones that are 14 hours ahead of UTC. */
const AHEAD_MS = 14 * 3_600_000

function requireBegun(day: string, now: number): void {
  const beginsAt = Date.parse(day) - AHEAD_MS
  if (now >= beginsAt) return
  throw new ConfigError([`${day} begins in the first timezone at ${formatInstant(beginsAt)}.`])
}

async function compute(
  { config, database: { store, clock } }: NonNullable<Remote['local']>,
  day: string,
  expected: number,
): Promise<{ people: number; lines: StoredLine[] }> {
  const planner = { ids: createIds(Math.random), table: config.timezoneTable }
  const deps = { store, clock, planner, telemetry() {} }
  const progress = createProgress(process.stderr)
  const lines: StoredLine[] = []
  let people = 0
  for await (const page of accountPages(deps, { day, from: null, saved: 0, isStored: false })) {
    people += page.people
    lines.push(...page.lines)
    // The last share is for what follows the people: deletions, and rows that vanished.
    progress(Math.min(0.99, people / Math.max(1, expected)), countPeople(people), people)
  }
  progress(1, countPeople(people), people)
  return { people, lines }
}
