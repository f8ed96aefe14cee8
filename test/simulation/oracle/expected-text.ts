// The templates that operators write and the text of each, rendered independently of the product.

import { wallAt } from '../../support/oracle/clock.ts'
import type { TemplatePlan } from '../scenario.ts'

export type Named = { first_name: string; last_name: string }

/** Doubled so often that a common name stays under the size limit of the product, and a long one does not. */
const DOUBLED = 10
const LONG = 60

export function templateText({ mark, fragile }: TemplatePlan): string {
  const doubled = '{% assign a = fullName %}'.concat('{% assign a = a | append: a %}'.repeat(DOUBLED))
  return `${fragile ? doubled : ''}[${mark}] {{ firstName }} {{ lastName }}`
}

/** The built-in text of each kind. */
const BUILT_IN: Readonly<Record<string, string>> = {
  BIRTHDAY: "Hey, {{ firstName }} {{ lastName }} it's your birthday",
  WORK_ANNIVERSARY: "Hey, {{ firstName }} {{ lastName }} it's your work anniversary",
  TASK_REMINDER: 'Hey, {{ firstName }} {{ lastName }} "{{ title }}" is due on {{ dueDate }} at {{ dueTime }}',
}

/** The text of a reminder, with the local time at which the task is due. */
export function reminderText(
  title: string,
  dueAt: number,
  where: { timezone: string; release: string },
): string {
  const due = new Date(wallAt(dueAt, where.timezone, where.release)).toISOString()
  return BUILT_IN.TASK_REMINDER!.replace('{{ title }}', title)
    .replace('{{ dueDate }}', due.slice(0, 10))
    .replace('{{ dueTime }}', due.slice(11, 16))
}

/** The built-in text of a belated message. */
const BELATED: Readonly<Record<string, string>> = {
  BIRTHDAY: 'Hey, {{ firstName }} {{ lastName }} happy belated birthday',
  WORK_ANNIVERSARY: 'Hey, {{ firstName }} {{ lastName }} happy belated work anniversary',
}

/** The possible built-in texts of a kind: both if it is unknown whether the message is belated, null if the kind has none. */
export function builtInTexts(type: string, belated: boolean | null): (string | null)[] {
  const text = BUILT_IN[type] ?? null
  const late = BELATED[type] ?? text
  if (belated === null) return [text, late]
  return [belated ? late : text]
}

/** The rendered text for a person; null if there is none or it cannot be rendered for them. */
export function renderedFor(text: string | null, { first_name, last_name }: Named): string | null {
  if (text === null || (text.startsWith('{%') && `${first_name} ${last_name}`.length > LONG)) return null
  return text
    .replaceAll(/\{%.*?%\}/g, '')
    .replace('{{ firstName }}', () => first_name)
    .replace('{{ lastName }}', () => last_name)
}

/** The stored text for a language: its own, that of the base language, or that for everybody. */
export function textFor(language: string | null, stored: ReadonlyMap<string, string>): string | null {
  const wider = language?.split('-')[0] ?? ''
  return stored.get(language ?? '') ?? stored.get(wider) ?? stored.get('') ?? null
}
