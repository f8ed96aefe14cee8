// `terce hold` and `terce release`: let the messages of channels wait, and send them.
import type { Command } from 'commander'
import type { Client, components } from '../../client/client.ts'
import { BUILT_IN } from '../../domain/settings/channel.ts'
import { DAY_MS } from '../../domain/time/calendar.ts'
import { parseLocalTime } from '../../domain/time/local-time.ts'
import { formatInstant, parseInstant } from '../../domain/time/timestamp.ts'
import { tzdb } from '../../domain/time/tzdb.ts'
import { unknownTimezone } from '../../domain/time/zone-suggestions.ts'
import { ConfigError } from '../../runtimes/config/config.ts'
import { parseShortDuration } from '../../runtimes/config/setting-values.ts'
import type { AddCommand } from '../entry.ts'
import { addRemoteOptions, REMOTE_HELP, type RemoteOptions, withRemote } from '../remote.ts'

type Status = components['schemas']['ChannelStatus']
type Options = RemoteOptions & { channel?: string; json?: true }
type HoldOptions = Options & { until?: string; timezone?: string }

const HOLD_HELP = `
Examples:
  terce hold --until 14:00
  terce hold --channel crm --until 2h
  terce hold --until 2026-12-15T14:00:00Z

Messages that fall due wait, and nothing is dropped: at the end of the hold they are sent, the first due first, by the rules for
late messages. Without --until the hold ends with terce release. Without --channel it holds every channel, the built-in
inbox and the handlers of an application.
`

export const addHold: AddCommand = (program, entry) => {
  withOptions(program.command('hold').description('let messages wait, and send them later'))
    .option('--until <when>', 'the end: a time of day such as 14:00, a duration such as 2h, or an instant')
    .option('--timezone <zone>', 'the timezone of a time of day (default: that of this machine)')
    .addHelpText('after', HOLD_HELP + REMOTE_HELP)
    .action((options: HoldOptions) => {
      const until = options.until === undefined ? null : formatInstant(endOf(options, entry.now))
      return withRemote(options, entry, async ({ client }) => {
        const id = await findChannel(client, options.channel)
        const body = { until }
        const held =
          id === null
            ? (await client.post('/channel/pause', { body })).items
            : [await client.post('/channel/{id}/pause', { path: { id }, body })]
        print(options, held, holdText)
      })
    })
}

export const addRelease: AddCommand = (program, entry) => {
  withOptions(program.command('release').description('end a hold, and send the messages that wait'))
    .addHelpText('after', REMOTE_HELP)
    .action((options: Options) =>
      withRemote(options, entry, async ({ client }) => {
        const id = await findChannel(client, options.channel)
        const released =
          id === null
            ? (await client.post('/channel/resume')).items
            : [await client.post('/channel/{id}/resume', { path: { id } })]
        print(options, released, releaseText)
      }),
    )
}

function withOptions(command: Command): Command {
  return addRemoteOptions(command)
    .option('--channel <name>', 'only this channel, by name or id (default: all of them)')
    .option('--json', 'print one JSON object')
}

/** Null for all channels. */
async function findChannel(client: Client, name: string | undefined): Promise<string | null> {
  if (name === undefined) return null
  const { items } = await client.get('/channel')
  const all = [...items, ...[...BUILT_IN].map(([id, builtIn]) => ({ id, name: builtIn }))]
  const found = all.find((one) => one.name === name || one.id === name)
  if (found !== undefined) return found.id
  throw new ConfigError([`No channel "${name}". Use one of ${all.map((one) => one.name).join(', ')}.`])
}

function endOf({ until = '', timezone }: HoldOptions, now: number): number {
  const durationMs = parseShortDuration(until)
  if (durationMs !== undefined) return now + durationMs
  const msOfDay = parseLocalTime(until)
  const end = msOfDay === null ? parseInstant(until) : nextAt(msOfDay, zoneOf(timezone, now), now)
  if (end !== null) return end
  throw new ConfigError([
    `--until ${until} is not usable. Use a time such as 14:00, a duration such as 2h, or an instant such as 2026-12-15T14:00:00Z.`,
  ])
}

function zoneOf(given: string | undefined, now: number): string {
  const name = given ?? (Intl.DateTimeFormat().resolvedOptions().timeZone || 'Etc/UTC')
  const zone = tzdb.canonicalName(name)
  if (zone === null)
    throw new ConfigError([unknownTimezone('--timezone', name, { now, table: tzdb }).message])
  return zone
}

/** The next instant at which the clocks of the zone show the time. */
function nextAt(msOfDay: number, zoneName: string, now: number): number {
  const zone = tzdb.zone(zoneName)
  const today = Math.floor((now + zone.offsetMsAt(now)) / DAY_MS) * DAY_MS
  const { instant } = zone.instantOf(today + msOfDay)
  return instant > now ? instant : zone.instantOf(today + DAY_MS + msOfDay).instant
}

function print({ json }: Options, items: Status[], text: (items: Status[]) => string): void {
  console.log(json ? JSON.stringify({ items }) : text(items))
}

function holdText(items: Status[]): string {
  const held = items.filter(({ status, statusReason }) => status === 'PAUSED' && statusReason === 'BY_HAND')
  const until = held[0]?.pausedUntil ?? null
  const end = until === null ? 'until terce release' : `until ${until}`
  return [`Held ${end}: ${namesOf(held)}. Messages that fall due wait.`, ...othersOf(items)].join('\n')
}

function releaseText(items: Status[]): string {
  const sending = items.filter(({ status }) => status === 'ACTIVE')
  return [`Released: ${namesOf(sending)}. The messages that waited are sent now.`, ...othersOf(items)].join(
    '\n',
  )
}

/** Channels that neither a hold nor its end changes. */
function othersOf(items: Status[]): string[] {
  return items
    .filter(
      ({ status, statusReason }) =>
        status === 'DISABLED' || (status === 'PAUSED' && statusReason !== 'BY_HAND'),
    )
    .map(({ name, status, statusReason }) => `Not changed: ${name} is ${status} (${statusReason}).`)
}

function namesOf(items: Status[]): string {
  return items.map(({ name }) => name).join(', ') || 'nothing'
}
