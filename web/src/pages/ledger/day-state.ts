// What the account of a day says in short, and what the accounts of all days say together.
import { SHOWN_COUNTS } from '../../../../src/domain/ledger/line.ts'
import type { LedgerDay } from '../../api/types.ts'
import { count } from '../../clock/format.ts'

/** `closing`: the account is being computed. `none`: there is no account of the day. */
type DayState = 'sound' | 'late' | 'open' | 'alarm' | 'closing' | 'none'

export const STATES: Record<DayState, { text: string; look: string; sign: string }> = {
  sound: { text: 'All delivered on time, or excused', look: 'bg-sent-fill', sign: '' },
  late: { text: 'With late, early or failed messages', look: 'bg-accent-fill text-on-accent', sign: '•' },
  open: { text: 'With open messages', look: 'bg-sending-fill text-panel', sign: '○' },
  alarm: { text: 'With unexplained or surplus messages', look: 'bg-failed text-panel', sign: '!' },
  closing: { text: 'Being closed', look: 'border border-line-strong border-dashed', sign: '' },
  none: { text: 'No account', look: 'bg-raised', sign: '' },
}

export function stateOf(day: LedgerDay | undefined): DayState {
  if (day === undefined) return 'none'
  if (day.state === 'closing') return 'closing'
  if (day.unexplained > 0 || day.surplus > 0) return 'alarm'
  if (day.open > 0) return 'open'
  return day.late + day.early + day.failed > 0 ? 'late' : 'sound'
}

/** `3 unexplained`, `1 surplus`: what makes a day stand out. */
export function alarmsOf({ unexplained, surplus }: Pick<LedgerDay, 'unexplained' | 'surplus'>): string[] {
  return [
    ...(unexplained > 0 ? [`${unexplained.toLocaleString('en')} unexplained`] : []),
    ...(surplus > 0 ? [`${surplus.toLocaleString('en')} surplus`] : []),
  ]
}

/** `1,204 owed, 1,203 delivered, 3 late, 1 excused`: zeros are left out. */
export function totalsText(day: LedgerDay): string {
  if (day.state === 'closing') return 'being closed'
  const shown = SHOWN_COUNTS.filter((name) => day[name] > 0)
  const parts = shown.map((name) => `${day[name].toLocaleString('en')} ${name}`)
  return [...(day.owed === 0 ? ['none owed'] : []), ...parts].join(', ')
}

/** The closed days, newest first, in a few words. A line that is carried over days is one message. */
export function summaryOf(days: readonly LedgerDay[]): string {
  const closed = days.filter(({ state }) => state === 'closed')
  const alarms = closed.filter((day) => stateOf(day) === 'alarm').length
  const owed = closed.reduce((sum, { owed, carried }) => sum + owed - carried, 0)
  const open = closed[0]?.open ?? 0
  const stillOpen = open === 0 ? '' : ` ${count(open, 'is', 'are')} still open.`
  const start = `${count(closed.length, 'closed day')}, ${count(owed, 'message')} owed.${stillOpen}`
  if (alarms === 0) return `${start} Every one is explained, and none was sent that was not owed.`
  return `${start} ${count(alarms, 'day has', 'days have')} messages that are unexplained or were not owed.`
}
