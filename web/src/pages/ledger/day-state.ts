// What the account of a day says in short, and what the accounts of all days say together.
import type { LedgerDay } from '../../api/types.ts'
import { count } from '../../clock/format.ts'
import { COUNT_WORDS, COUNTS } from './totals.tsx'

type DayState = 'sound' | 'late' | 'missed' | 'none'

export const STATES: Record<DayState, { text: string; look: string; sign: string }> = {
  sound: { text: 'All on time, or not sent by a rule', look: 'bg-sent-fill', sign: '' },
  late: { text: 'With late, failed or waiting messages', look: 'bg-accent-fill text-on-accent', sign: '•' },
  missed: { text: 'With problems that can miss a person', look: 'bg-failed text-panel', sign: '!' },
  none: { text: 'No account', look: 'bg-raised', sign: '' },
}

export function stateOf(day: LedgerDay | undefined): DayState {
  if (day === undefined) return 'none'
  if (day.missed > 0) return 'missed'
  return day.late + day.failed + day.waiting > 0 ? 'late' : 'sound'
}

/** `1,204 due, 1,203 on time, 1 late`: zeros are left out. */
export function totalsText(day: LedgerDay): string {
  const shown = COUNTS.filter((name) => day[name] > 0)
  if (shown.length === 0) return 'none due'
  return shown
    .map((name) => `${day[name].toLocaleString('en')} ${COUNT_WORDS[name].word.toLowerCase()}`)
    .join(', ')
}

/** The closed days in a few words. */
export function summaryOf(days: readonly LedgerDay[]): string {
  const missed = days.filter((day) => day.missed > 0).length
  const due = days.reduce((sum, day) => sum + day.due, 0)
  const start = `${count(days.length, 'closed day')}, ${count(due, 'message')} due.`
  if (missed === 0) return `${start} No person was missed.`
  return `${start} ${count(missed, 'day', 'days')} with problems that can miss a person.`
}
