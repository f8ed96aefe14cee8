// The target of the daily report that the dashboard sets.
import type { FieldProblem } from '../../domain/errors.ts'
import type { ChannelRecord } from '../../domain/settings/channel.ts'
import { parseAddress } from '../../domain/users/email-address.ts'
import type { LedgerStore, SettingsStore } from '../../ports/store.ts'
import { channelFor } from './report.ts'

/** Stores an e-mail address, the name of a webhook channel, or null for no report. */
export async function saveReportTarget(
  store: Pick<LedgerStore, 'saveReportTarget'> & Pick<SettingsStore, 'listChannels'>,
  target: string | null,
): Promise<FieldProblem | null> {
  const problem = target && problemOf(target, await store.listChannels())
  if (problem) return { field: 'to', ...problem }
  await store.saveReportTarget(target)
  return null
}

function problemOf(target: string, channels: readonly ChannelRecord[]): Omit<FieldProblem, 'field'> | null {
  const isMail = target.includes('@')
  if (isMail && parseAddress(target) === null)
    return { code: 'INVALID_EMAIL', message: 'Mails cannot be sent to it. Use one such as ops@example.com.' }
  const message = isMail ? 'No channel sends e-mail. Add one first.' : 'No webhook channel has this name.'
  return channelFor(target, channels) === null ? { code: 'UNKNOWN_CHANNEL', message } : null
}
