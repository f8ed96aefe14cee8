// Where the daily report of the ledger goes: REPORT_TO, or the target of the dashboard.
import type { ChannelsDeps } from '../../app/channels/channels.ts'
import type { Reporting } from '../../app/ledger/report.ts'
import type { Config } from '../config/config.ts'

export function reportingOf(
  { reportTo: to }: Pick<Config, 'reportTo'>,
  { store, open }: Pick<ChannelsDeps, 'store' | 'open'>,
): Reporting {
  return { to, store, open }
}
