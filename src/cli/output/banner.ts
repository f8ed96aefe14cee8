// The text that a process prints when it has started: the dashboard, the address, the database, the destination.
import { releaseRemedy, withoutQuery } from '../../domain/settings/channel.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'
import { VERSION } from '../../runtimes/config/version.ts'
import type { Role, Running } from '../../runtimes/node/node.ts'
import type { Paint } from './colour.ts'

export type Started = {
  role: Role
  /** The path or address of the database. */
  database: string
  /** True if this start created the database file. */
  isNew: boolean
  /** The address that browsers use; null if it is not set. */
  publicUrl: string | null
  dashboard: 'missing' | 'outdated' | null
}

export function bannerText(running: Running, started: Started, paint: Paint) {
  const { role, database, isNew, publicUrl, dashboard } = started
  const { address, open, metricsAddress, tzVersion, keyFile, stopped } = running
  const site = publicUrl ?? address
  const link = (url: string) => paint(['cyan', 'underline'], url)
  const row = (name: string, text: string) => `  ${paint('dim', name.padEnd(9))}  ${text}`
  const lines: string[] = []
  if (site !== null) {
    const page =
      dashboard === 'missing'
        ? paint('yellow', 'not built: npm run build, then start again')
        : link(`${site}/app/`)
    const note = dashboard === 'outdated' ? paint('yellow', ' (older than web/src: npm run build)') : ''
    lines.push(`${paint('bold', 'Dashboard')}    ${page}${note}`)
  }
  lines.push(`Terce ${VERSION}${address === null ? '' : ` listens on ${address}`}`)
  if (site !== null) lines.push(row('API', `${site}/docs`))
  lines.push(row('database', `${database}${isNew ? paint('yellow', ' (new)') : ''}`))
  if (keyFile !== null) lines.push(row('key file', keyFileText(keyFile, paint)))
  lines.push(row('timezones', `IANA ${tzVersion}`))
  lines.push(row('delivery', deliveryText(running, role)))
  for (const channel of stopped) {
    const { name, status, statusReason, heldUntil } = channel
    const end = heldUntil === null ? '' : ` until ${formatInstant(heldUntil)}`
    const why = statusReason === null ? '' : ` (${statusReason})`
    const effect = status === 'HELD' ? 'its messages wait' : 'its messages fail'
    lines.push(row(status.toLowerCase(), `channel ${name}${why}${end}: ${effect}. ${releaseRemedy(channel)}`))
  }
  if (metricsAddress !== null) lines.push(row('metrics', metricsAddress))
  if (address !== null)
    lines.push(
      row('access', open ? 'this machine only (no API key yet: terce keys create)' : 'with an API key'),
    )
  return lines.join('\n')
}

function keyFileText({ path, isMissing }: NonNullable<Running['keyFile']>, paint: Paint): string {
  return isMissing
    ? paint(
        'red',
        `${path} is missing: channels with secrets cannot send. Restore it, or set TERCE_SECRET_KEY`,
      )
    : `${path} (encrypts the secrets of channels: back it up with the database)`
}

function deliveryText({ address, target }: Running, role: Role): string {
  if (role === 'api') return 'none in this process (run terce worker)'
  if (target === null) return 'to the default channel; events wait until there is one'
  if (withoutQuery(target) === `${address}/inbox`)
    return `to the built-in inbox, ${address}/inbox (set WEBHOOK_URL to change)`
  return `to ${withoutQuery(target)}`
}
