// The place of an event in a list by due time: the instant, then the id. The cursor of such a list.
import { parseUuid } from './uuid.ts'

export type DuePlace = { dueAt: number; id: string }

export function formatDuePlace({ dueAt, id }: DuePlace): string {
  return `${dueAt} ${id}`
}

/** Null if the text is not the place of an event. */
export function parseDuePlace(text: string): DuePlace | null {
  const [, digits = '', id = ''] = /^(0|[1-9]\d{0,14}) (\S{36})$/.exec(text) ?? []
  return parseUuid(id) === id ? { dueAt: Number(digits), id } : null
}
