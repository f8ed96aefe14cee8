// `terce hold` and `terce release`: let the messages of channels wait, and send them.
import type { Command } from 'commander'
import type { Client, components } from '../../client/client.ts'
import { BUILT_IN, releaseRemedy } from '../../domain/settings/channel.ts'
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
type Shown = Pick<Status, 'name' | 'status' | 'statusReason'>
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
      const isEnded = options.until !== undefined || options.timezone !== undefined
      const until = isEnded ? formatInstant(endOf(options, entry.now)) : null
      return withRemote(options, entry, async ({ client }) => {
        const body = { until }
        if (options.channel === undefined) {
          const { items } = await client.post('/channel/hold', { body })
          return print(options, items, [holdText(items.filter(isHeld)), ...othersOf(items)])
        }
        const channel = await findChannel(client, options.channel)
        const held = await client.post('/channel/{id}/hold', { path: { id: channel.id }, body })
        if (!isHeld(held)) throw new Error(`Not held: ${stateOf(held)}. ${releaseRemedy(held)}`)
        print(options, [held], [holdText([held])])
      })
    })
}

export const addRelease: AddCommand = (program, entry) => {
  withOptions(program.command('release').description('end a hold, and send the messages that wait'))
    .addHelpText('after', REMOTE_HELP)
    .action((options: Options) =>
      withRemote(options, entry, async ({ client }) => {
        if (options.channel === undefined) {
          const { items } = await client.post('/channel/release')
          const others = othersOf((await client.get('/channel')).items)
          return print(options, items, [releaseText(items), ...others])
        }
        const channel = await findChannel(client, options.channel)
        const released = await client.post('/channel/{id}/release', { path: { id: channel.id } })
        print(options, [released], [releaseText(channel.status === 'ACTIVE' ? [] : [released])])
      }),
    )
}

function withOptions(command: Command): Command {
  return addRemoteOptions(command)
    .option('--channel <name>', 'only this channel, by name or id (default: all of them)')
    .option('--json', 'print one JSON object')
}

/** A channel by its name or id. The API does not list the built-in ones, so their status is not known. */
export async function findChannel(
  client: Client,
  name: string,
): Promise<{ id: string; name: string; status?: Status['status'] }> {
  const { items } = await client.get('/channel')
  const all = [...items, ...[...BUILT_IN].map(([id, builtIn]) => ({ id, name: builtIn }))]
  const found = all.find((one) => one.name === name || one.id === name)
  if (found !== undefined) return found
  throw new ConfigError([`No channel "${name}". Use one of ${all.map((one) => one.name).join(', ')}.`])
}

function endOf({ until = '', timezone }: HoldOptions, now: number): number {
  const durationMs = parseShortDuration(until)
  const msOfDay = parseLocalTime(until)
  if (timezone !== undefined && msOfDay === null)
    throw new ConfigError(['--timezone needs --until with a time of day, such as 14:00.'])
  if (durationMs !== undefined) return now + durationMs
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

function print({ json }: Options, items: Status[], lines: string[]): void {
  console.log(json ? JSON.stringify({ items }) : lines.join('\n'))
}

function isHeld({ status, statusReason }: Shown): boolean {
  return status === 'HELD' && statusReason === null
}

function holdText(held: Status[]): string {
  const until = held[0]?.heldUntil ?? null
  const end = until === null ? 'until terce release' : `until ${until}`
  return `Held ${end}: ${namesOf(held)}. Messages that fall due wait.`
}

function releaseText(released: Status[]): string {
  if (released.length === 0) return 'Nothing was held.'
  return `Released: ${namesOf(released)}. Messages that waited are sent now.`
}

/** Channels that neither a hold nor its end changes. */
function othersOf(items: Shown[]): string[] {
  return items
    .filter((one) => one.status !== 'ACTIVE' && !isHeld(one))
    .map((one) => `Not changed: ${stateOf(one)}.`)
}

function stateOf({ name, status, statusReason }: Shown): string {
  return `${name} is ${status}${statusReason === null ? '' : ` (${statusReason})`}`
}

function namesOf(items: Status[]): string {
  return items.map(({ name }) => name).join(', ')
}
