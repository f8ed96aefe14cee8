// Sends the report of each closed day to REPORT_TO or to the target of the dashboard: to an e-mail address over the mail channel, or over
// a webhook channel. The body names people who failed; no log line does.

import { reasonInWords } from '../../domain/events/failure-reason.ts'
import { OUTCOMES } from '../../domain/ledger/account.ts'
import { htmlOfText } from '../../domain/messages/markup.ts'
import type { ChannelRecord } from '../../domain/settings/channel.ts'
import { DAY_MS } from '../../domain/time/calendar.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'
import { fullName } from '../../domain/users/full-name.ts'
import type { Channel } from '../../ports/channel.ts'
import type { ClosedDay } from '../../ports/ledger.ts'
import type { SettingsStore } from '../../ports/store.ts'
import type { LedgerDeps } from './ledger-deps.ts'
import { type LedgerLine, readFailures } from './read-ledger.ts'

/** `to`: REPORT_TO, which precedes the target of the dashboard; null without it. */
export type Reporting = {
  to: string | null
  store: Pick<SettingsStore, 'listChannels'>
  open(record: ChannelRecord): Channel
}

/** People named in a report. */
const NAMED = 5

/** Sends the reports of the last day, each until it is accepted, under one key. Throws if one is not. */
export async function reportDays(deps: LedgerDeps, reporting: Reporting | null): Promise<void> {
  if (reporting === null) return
  const { store, clock } = deps
  const listDue = async () => {
    const recent = await store.listLedgerDays({ limit: 3 })
    return recent.filter((day) => day.reportedAt === null && day.closedAt > clock.now() - DAY_MS).reverse()
  }
  const most = (await listDue()).length
  const to = most === 0 ? null : (reporting.to ?? (await store.findReportTarget()))
  if (to === null) return
  const now = clock.now()
  const until = now + most * 2 * SEND_MS
  if (!(await store.reserveReports({ now, until }))) return
  try {
    // Again: another process may have sent one before the reservation.
    for (const day of await listDue()) {
      const text = reportText(day, await readFailures(deps, day.day))
      await send({ ...reporting, to }, day, text)
      await store.markLedgerReported(day.day, clock.now())
    }
  } finally {
    // It also expires. The error of a send is the one to report.
    await store.releaseReports(until).catch(() => {})
  }
}

type Sending = Reporting & { to: string }

async function send(reporting: Sending, day: ClosedDay, text: string): Promise<void> {
  const record = channelFor(reporting.to, await reporting.store.listChannels())
  if (record === null) throw new Error(`No channel sends reports to ${maskedTarget(reporting.to)}.`)
  const isMail = record.settings.kind !== 'webhook'
  const key = `ledger-${day.day}`
  const channel = reporting.open(record)
  try {
    const body = JSON.stringify(isMail ? mailOf(day, text, reporting.to) : webhookBody(day, text))
    const result = await channel.deliver(
      { eventId: key, idempotencyKey: key, body, attempt: 1 },
      AbortSignal.timeout(SEND_MS),
    )
    if (result.kind !== 'delivered') throw new Error(`The report of ${day.day} was not accepted.`)
  } finally {
    await channel.close()
  }
}

const SEND_MS = 60_000

/** For an address the default channel if it sends mail, or else the oldest one that does; for a name the channel of that name. */
export function channelFor(to: string, channels: readonly ChannelRecord[]): ChannelRecord | null {
  if (!to.includes('@'))
    return channels.find(({ name, settings }) => name === to && settings.kind === 'webhook') ?? null
  const mail = channels.filter(({ settings }) => settings.kind !== 'webhook')
  return mail.toSorted((a, b) => (b.defaultSince ?? 0) - (a.defaultSince ?? 0))[0] ?? null
}

/** An address is a person's data. */
function maskedTarget(to: string): string {
  return to.includes('@') ? '***' : to
}

function webhookBody(day: ClosedDay, text: string): object {
  const { closedAt, reportedAt: _, ...counts } = day
  return { type: 'LEDGER_REPORT', ...counts, closedAt: formatInstant(closedAt), text }
}

function mailOf(day: ClosedDay, text: string, to: string): object {
  const at = formatInstant(day.closedAt)
  return {
    ...{
      eventId: `ledger-${day.day}`,
      type: 'LEDGER_REPORT',
      message: text,
      userId: '',
      occurrence: day.day,
    },
    ...{ targetTimestampUTC: at, targetTimestampLocal: at, timezone: 'UTC', lateBySeconds: 0 },
    ...{ to, toName: '', subject: `Terce, ${day.day}: ${verdictOf(day)}`, text, html: htmlOfText(text) },
  }
}

const WORDS = { onTime: 'on time', late: 'late', failed: 'failed', notSent: 'not sent', waiting: 'waiting' }

/** `1,204 due, 1,201 on time, 2 late, 1 failed (Ana Silva: the person has no e-mail address). Nobody was missed.` */
function reportText(day: ClosedDay, failures: readonly LedgerLine[]): string {
  const counts = OUTCOMES.filter((outcome) => day[outcome] > 0).map((outcome) => {
    const named = outcome === 'failed' ? namesOf(failures) : ''
    return `${grouped(day[outcome])} ${WORDS[outcome]}${named}`
  })
  return `${day.day}: ${[`${grouped(day.due)} due`, ...counts].join(', ')}. ${verdictOf(day)}`
}

function verdictOf({ missed }: ClosedDay): string {
  if (missed === 0) return 'Nobody was missed.'
  return `${grouped(missed)} ${missed === 1 ? 'problem' : 'problems'}: see terce ledger --today.`
}

function namesOf(failures: readonly LedgerLine[]): string {
  const named = failures.slice(0, NAMED).map((failure) => {
    return `${fullName(failure)}: ${reasonInWords(failure.reason, null)}`
  })
  if (named.length === 0) return ''
  return ` (${named.join('; ')}${failures.length > NAMED ? '; and others' : ''})`
}

const grouped = (count: number) => count.toLocaleString('en')
