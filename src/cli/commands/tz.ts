// `terce tz`: which timezone rules the events were planned with, and re-planning after the rules changed.
import type { Command } from 'commander'
import { type ReplanDeps, type ReplanReport, replan } from '../../app/timezones/replan.ts'
import { describeZones, replanJson, type ZonesState } from '../../app/timezones/zone-report.ts'
import type { ZoneMoves } from '../../app/timezones/zone-tally.ts'
import { createIds } from '../../domain/events/uuid.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'
import { readConfig } from '../../runtimes/config/config.ts'
import type { Database } from '../../runtimes/node/database.ts'
import type { AddCommand, Entry } from '../entry.ts'
import { openForCommand } from '../open-database.ts'
import { countEvents, countPeople } from '../output/words.ts'

type Options = { dryRun?: true; json?: true }

const HELP = `
Terce re-plans by itself when it starts. Use this command to look first, or after a rollout in which processes of an
earlier release kept planning. TERCE_TZDB names a file with newer rules than the built-in ones.

Exit codes: 0 success, 1 failure, 2 wrong usage.`

const JSON_OPTION = ['--json', 'print one JSON object'] as const

export const addTimezones: AddCommand = (program, { env }) => {
  const tz = program
    .command('tz')
    .description('show the timezone rules in use, and where they changed')
    .option(...JSON_OPTION)
    .addHelpText('after', HELP)
    .action((options: Options) => withTimezones(env, (deps) => show(deps, options)))
  tz.command('replan')
    .description('re-plan pending events after a timezone change')
    .option('--dry-run', 'only count, change nothing')
    .option(...JSON_OPTION)
    .action((_: Options, command: Command) => {
      const options: Options = command.optsWithGlobals()
      return withTimezones(env, (deps) => run(deps, options))
    })
}

type Deps = ReplanDeps & Pick<Database, 'store'>

async function withTimezones(env: Entry['env'], work: (deps: Deps) => Promise<void>): Promise<void> {
  const config = readConfig(env)
  const database = await openForCommand(config.database)
  const { store, clock, announce } = database
  const planner = { ids: createIds(Math.random), table: config.timezoneTable }
  try {
    await work({ store, clock, planner, telemetry: print, onPlanned: announce })
  } finally {
    await database.close()
  }
}

/** The progress and the errors of a replan. */
const print: ReplanDeps['telemetry'] = (notice) => {
  if (notice.kind === 'timezones' && notice.state === 'moving')
    console.error(`${notice.zone}: ${countPeople(notice.people)} checked, ${countEvents(notice.moved)} moved`)
  if (notice.kind !== 'error') return
  console.error(
    `terce: ${notice.operation}${notice.eventId === undefined ? '' : ` ${notice.eventId}`}: ${notice.error instanceof Error ? notice.error.message : notice.error}`,
  )
}

async function show({ store, planner: { table }, clock }: Deps, { json }: Options): Promise<void> {
  const zones = await describeZones(store, table, clock.now())
  if (json) return console.log(JSON.stringify(zones))
  const { version, recorded, state, differs, lastChange } = zones
  console.log(
    `Timezone rules: IANA ${version}. Events in this database were planned with ${recorded[0] ?? 'none yet'}.`,
  )
  for (const { zone, since, offsetFrom, offsetTo, people } of differs) {
    console.log(`  ${zone}: UTC${offsetFrom} -> UTC${offsetTo} from ${since}, ${countPeople(people)}`)
  }
  console.log(WHAT_TO_DO[state])
  if (lastChange === null) return
  const places = lastChange.zones.length === 1 ? lastChange.zones[0] : `${lastChange.zones.length} timezones`
  console.log(`Last change: ${lastChange.at}, from ${lastChange.from}, in ${places}.`)
}

const WHAT_TO_DO: Record<ZonesState, string> = {
  CURRENT: 'Nothing to re-plan.',
  REPLAN_DUE: 'Run terce tz replan to move these events, or restart Terce.',
  UNRECORDED: 'Run terce tz replan to check and record the existing events, or restart Terce.',
  TABLE_OLDER: 'Events were planned with newer rules and are not changed. Upgrade this Terce.',
}

async function run(deps: Deps, options: Options): Promise<void> {
  const dryRun = options.dryRun === true
  const report = await replan(deps, { check: 'all', dryRun })
  const { auditCli } = await import('../audit.ts')
  if (!dryRun) await auditCli(deps, { action: 'timezones.replanned', object: null })
  if (options.json) console.log(JSON.stringify(replanJson(report, dryRun)))
  else for (const line of reportLines(report, dryRun)) console.log(line)
  const { release, ahead, gone, failed } = report
  if (gone.length > 0) {
    console.error(`Timezones in use but not in the rules: ${gone.join(', ')}. Change them on these people.`)
  }
  if (ahead !== null) {
    const what = `Events in this database were planned with IANA ${ahead}, which is newer than ${release}.`
    throw new Error(`${what} Nothing was changed. Upgrade this Terce.`)
  }
  if (failed > 0) throw new Error(`${countEvents(failed)} could not be re-planned and did not change.`)
}

function reportLines({ release, zones }: ReplanReport, dryRun: boolean): string[] {
  const total = zones.reduce((sum, { moved }) => sum + moved, 0)
  const done = dryRun ? 'would move' : 'moved'
  return [...zones.map(movesLine), `${countEvents(total)} ${done} (IANA ${release}).`]
}

function movesLine({ zone, people, moved, unmoved, exampleFrom, exampleTo }: ZoneMoves): string {
  const who = `${zone}: ${countPeople(people)}`
  if (exampleFrom === null || exampleTo === null) return `${who}, ${countEvents(unmoved)}, none moved`
  return `${who}, ${countEvents(moved)}, for example ${minute(exampleFrom)} -> ${minute(exampleTo)}`
}

const minute = (instant: number) => `${formatInstant(instant).slice(0, 16)}Z`
