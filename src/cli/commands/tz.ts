// `terce tz`: by which timezone rules events are planned, and planning anew after these changed.
import type { Command } from 'commander'
import { type ReplanDeps, type ReplanReport, replan } from '../../app/timezones/replan.ts'
import { describeZones, replanJson, type ZonesState } from '../../app/timezones/zone-report.ts'
import type { ZoneMoves } from '../../app/timezones/zone-tally.ts'
import { createIds } from '../../domain/events/uuid.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'
import { readConfig } from '../../runtimes/config/config.ts'
import type { AddCommand, Entry } from '../entry.ts'
import { createProgress } from '../output/progress.ts'
import { grouped } from '../output/rehearsal-report.ts'

type Options = { dryRun?: true; json?: true }

const HELP = `
Starting does what is needed by itself. This is for looking first, and for after a rollout in which processes of an
earlier release went on planning. TERCE_TZDB names a file with newer rules than the built-in ones.

Exit codes: 0 done, 1 failed, 2 something asked for wrongly.`

const JSON_OPTION = ['--json', 'one JSON object'] as const

export const addTimezones: AddCommand = (program, { env }) => {
  const tz = program
    .command('tz')
    .description('by which timezone rules events are planned, and where these differ')
    .option(...JSON_OPTION)
    .addHelpText('after', HELP)
    .action((options: Options) => withTimezones(env, (deps) => show(deps, options)))
  tz.command('replan')
    .description('move pending events to where the rules have them')
    .option('--dry-run', 'only count')
    .option(...JSON_OPTION)
    .action((_: Options, command: Command) => {
      const options: Options = command.optsWithGlobals()
      return withTimezones(env, (deps) => run(deps, options))
    })
}

async function withTimezones(env: Entry['env'], work: (deps: ReplanDeps) => Promise<void>): Promise<void> {
  const config = readConfig(env)
  const { openDatabase } = await import('../../runtimes/node/database.ts')
  const database = await openDatabase(config.database, (error) => {
    throw error
  })
  const { store, clock, announce } = database
  const planner = { ids: createIds(Math.random), table: config.timezoneTable }
  try {
    await work({ store, clock, planner, telemetry: sayTrouble, onPlanned: announce })
  } finally {
    await database.close()
  }
}

const sayTrouble: ReplanDeps['telemetry'] = (notice) => {
  if (notice.kind !== 'trouble') return
  console.error(
    `terce: ${notice.during}: ${notice.error instanceof Error ? notice.error.message : notice.error}`,
  )
}

async function show({ store, planner: { table }, clock }: ReplanDeps, { json }: Options): Promise<void> {
  const zones = await describeZones(store, table, clock.now())
  if (json) return console.log(JSON.stringify(zones))
  const { version, recorded, state, differs, lastChange } = zones
  console.log(
    `Plans by IANA ${version}. The events of this database were planned by ${recorded[0] ?? 'none yet'}.`,
  )
  for (const { zone, since, offsetFrom, offsetTo, people } of differs) {
    console.log(`  ${zone}: UTC${offsetFrom} -> UTC${offsetTo} from ${since} on, ${persons(people)}`)
  }
  console.log(WHAT_TO_DO[state])
  if (lastChange === null) return
  const places = lastChange.zones.length === 1 ? lastChange.zones[0] : `${lastChange.zones.length} places`
  console.log(`Last change: ${lastChange.at}, from ${lastChange.from}, in ${places}.`)
}

const WHAT_TO_DO: Record<ZonesState, string> = {
  CURRENT: 'Nothing differs from now on.',
  REPLAN_DUE: 'terce tz replan moves the events of these places; starting does, too.',
  UNRECORDED: 'terce tz replan looks at the events there are and records that; starting does, too.',
  TABLE_OLDER: 'That is a later release: what it planned is left alone. Upgrade this one.',
}

async function run(deps: ReplanDeps, options: Options): Promise<void> {
  const dryRun = options.dryRun === true
  const progress = createProgress(process.stderr)
  const report = await replan(deps, {
    dryRun,
    recheckMs: Number.POSITIVE_INFINITY,
    onStep: ({ zone, done, of }) => progress(of === 0 ? 1 : done / of, `${persons(done)}, ${zone}`),
  })
  if (options.json) console.log(JSON.stringify(replanJson(report, dryRun)))
  else for (const line of reportLines(report, dryRun)) console.log(line)
  const { release, ahead, gone, troubled } = report
  if (gone.length > 0) {
    console.error(`Not in the table, but people live there: ${gone.join(', ')}. Give them another timezone.`)
  }
  if (ahead !== null) {
    const what = `The events of this database were planned by IANA ${ahead}, which is later than ${release}.`
    throw new Error(`${what} They were left alone. Upgrade this one.`)
  }
  if (troubled > 0) throw new Error(`${troubled} events could not be planned and stay as they are.`)
}

function reportLines({ release, zones }: ReplanReport, dryRun: boolean): string[] {
  const total = zones.reduce((sum, { moved }) => sum + moved, 0)
  const done = dryRun ? 'would be moved' : 'moved'
  return [...zones.map(movesLine), `${events(total)} ${done}, to where IANA ${release} has them.`]
}

function movesLine({ zone, people, moved, restamped, exampleFrom, exampleTo }: ZoneMoves): string {
  const who = `${zone}: ${persons(people)}`
  if (exampleFrom === null || exampleTo === null) return `${who}, ${events(restamped)}, none moved`
  return `${who}, ${events(moved)}, such as ${minute(exampleFrom)} -> ${minute(exampleTo)}`
}

const persons = (count: number) => `${grouped(count)} ${count === 1 ? 'person' : 'people'}`
const events = (count: number) => `${grouped(count)} ${count === 1 ? 'event' : 'events'}`
const minute = (instant: number) => `${formatInstant(instant).slice(0, 16)}Z`
