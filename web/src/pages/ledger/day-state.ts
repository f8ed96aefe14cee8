// What the account of a day says in short, and what the accounts of all days say together.
import type { LedgerDay } from '../../api/types.ts'
import { count } from '../../clock/format.ts'

/** `closing`: the account is being computed. `none`: there is no account of the day. */
export type DayState = 'sound' | 'late' | 'alarm' | 'closing' | 'none'

export const STATES: Record<DayState, { text: string; look: string; sign: string }> = {
  sound: { text: 'All explained, on time', look: 'bg-sent-fill', sign: '' },
  late: { text: 'With late, early or failed messages', look: 'bg-accent-fill text-on-accent', sign: '•' },
  alarm: { text: 'With unexplained or surplus messages', look: 'bg-failed text-panel', sign: '!' },
  closing: { text: 'Being closed', look: 'border border-line-strong border-dashed', sign: '' },
  none: { text: 'No account', look: 'bg-raised', sign: '' },
}

export function stateOf(day: LedgerDay | undefined): DayState {
  if (day === undefined) return 'none'
  if (day.state === 'closing') return 'closing'
  if (day.unexplained > 0 || day.surplus > 0) return 'alarm'
  return day.late + day.early + day.failed > 0 ? 'late' : 'sound'
}

export function onTime({ delivered, late, early }: Pick<LedgerDay, 'delivered' | 'late' | 'early'>): number {
  return delivered - late - early
}

/** `3 unexplained`, `1 surplus`: what makes a day stand out. */
export function alarmsOf({ unexplained, surplus }: Pick<LedgerDay, 'unexplained' | 'surplus'>): string[] {
  return [
    ...(unexplained > 0 ? [`${unexplained.toLocaleString('en')} unexplained`] : []),
    ...(surplus > 0 ? [`${surplus.toLocaleString('en')} surplus`] : []),
  ]
}

/** `1,204 owed, 1,200 on time, 3 late, 1 excused`: zeros are left out. */
export function totalsText(day: LedgerDay): string {
  if (day.state === 'closing') return 'being closed'
  const parts: [n: number, word: string][] = [
    [onTime(day), 'on time'],
    [day.late, 'late'],
    [day.early, 'early'],
    [day.failed, 'failed'],
    [day.excused, 'excused'],
    [day.open, 'open'],
    [day.unexplained, 'unexplained'],
    [day.surplus, 'surplus'],
  ]
  const shown = parts.filter(([n]) => n > 0).map(([n, word]) => `${n.toLocaleString('en')} ${word}`)
  return [day.owed === 0 ? 'none owed' : `${day.owed.toLocaleString('en')} owed`, ...shown].join(', ')
}

/** The closed days in one sentence. */
export function summaryOf(days: readonly LedgerDay[]): string {
  const closed = days.filter(({ state }) => state === 'closed')
  const alarms = closed.filter((day) => stateOf(day) === 'alarm').length
  const owed = closed.reduce((sum, { owed }) => sum + owed, 0)
  const start = `${count(closed.length, 'closed day')}, ${count(owed, 'message')} owed.`
  if (alarms === 0) return `${start} Every one is explained, and none was sent that was not owed.`
  return `${start} ${count(alarms, 'day has', 'days have')} messages that are unexplained or were not owed.`
}
