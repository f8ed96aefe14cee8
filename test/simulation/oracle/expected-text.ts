// What messages say: the templates that operators write, and what each must come to, filled in here a second time.
import type { Words } from '../scenario.ts'

export type Named = { first_name: string; last_name: string }

/** Doubled so often that a name of everyday length stays under the limit of the product, and a long one does not. */
const DOUBLED = 10
const LONG = 60

export function templateText({ mark, fragile }: Words): string {
  const doubled = '{% assign a = fullName %}'.concat('{% assign a = a | append: a %}'.repeat(DOUBLED))
  return `${fragile ? doubled : ''}[${mark}] {{ firstName }} {{ lastName }}`
}

/** What each kind says when nobody wrote anything else. */
const BUILT_IN: Readonly<Record<string, string>> = {
  BIRTHDAY: "Hey, {{ firstName }} {{ lastName }} it's your birthday",
  WORK_ANNIVERSARY: "Hey, {{ firstName }} {{ lastName }} it's your work anniversary",
  TASK_REMINDER: 'Hey, {{ firstName }} {{ lastName }} "{{ title }}" is due on {{ dueDate }} at {{ dueTime }}',
}

/** What a reminder says of its task, by the clock of the reminder. */
export function reminderText(title: string, dueAt: number, offsetSeconds: number): string {
  const due = new Date(dueAt + offsetSeconds * 1000).toISOString()
  return BUILT_IN.TASK_REMINDER!.replace('{{ title }}', title)
    .replace('{{ dueDate }}', due.slice(0, 10))
    .replace('{{ dueTime }}', due.slice(11, 16))
}

/** The same when it is belated. */
const BELATED: Readonly<Record<string, string>> = {
  BIRTHDAY: 'Hey, {{ firstName }} {{ lastName }} happy belated birthday',
  WORK_ANNIVERSARY: 'Hey, {{ firstName }} {{ lastName }} happy belated work anniversary',
}

/** What a kind may say by itself: both where it is not known whether it is belated, null where it has nothing to say. */
export function builtInTexts(type: string, belated: boolean | null): (string | null)[] {
  const text = BUILT_IN[type] ?? null
  const late = BELATED[type] ?? text
  if (belated === null) return [text, late]
  return [belated ? late : text]
}

/** What a text comes to for somebody; null if there is none, or it cannot be rendered for them. */
export function wordsFor(text: string | null, { first_name, last_name }: Named): string | null {
  if (text === null || (text.startsWith('{%') && `${first_name} ${last_name}`.length > LONG)) return null
  return text
    .replaceAll(/\{%.*?%\}/g, '')
    .replace('{{ firstName }}', () => first_name)
    .replace('{{ lastName }}', () => last_name)
}

/** The text for a language among those stored, by language: its own, that of the wider one, that for everybody. */
export function textFor(language: string | null, stored: ReadonlyMap<string, string>): string | null {
  const wider = language?.split('-')[0] ?? ''
  return stored.get(language ?? '') ?? stored.get(wider) ?? stored.get('') ?? null
}
