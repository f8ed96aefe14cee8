// Saves and finds stored templates. Each save is one store operation, repeated on conflict.
import type { Template, TemplateText } from '../../domain/messages/template.ts'
import type { Clock } from '../../ports/clock.ts'
import type { SettingsStore } from '../../ports/store.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'

export type TemplateKey = { type: string; language: string }

/** The precondition of a write: none, any stored version, or one of these versions. */
export type SeenVersion = 'any' | 'existing' | readonly number[]

type SaveTemplateResult =
  | { kind: 'created'; template: Template }
  | { kind: 'changed'; template: Template }
  /** The caller's copy is older than the stored one, or the template does not exist. */
  | { kind: 'outdated' }
  /** There are as many templates as there may be. */
  | { kind: 'full' }

/** Every worker reads all of them each second. */
export const MOST_TEMPLATES = 200

export function saveTemplate(
  deps: { store: SettingsStore; clock: Clock },
  key: TemplateKey,
  change: { text: TemplateText; seen: SeenVersion },
): Promise<SaveTemplateResult> {
  const { store, clock } = deps
  return retryOnConflict(`Template ${key.type}/${key.language}`, async () => {
    const templates = await store.listTemplates()
    const before = templateOf(templates, key)
    if (!isAsSeen(before, change.seen)) return { kind: 'outdated' }
    if (before === null && templates.length >= MOST_TEMPLATES) return { kind: 'full' }
    const now = clock.now()
    const template: Template = {
      ...key,
      ...change.text,
      version: (before?.version ?? 0) + 1,
      createdAt: before?.createdAt ?? now,
      updatedAt: now,
    }
    if ((await store.saveTemplate(template)) === 'conflict') return null
    return { kind: before === null ? 'created' : 'changed', template }
  })
}

/** Null if there is no such template. */
export function templateOf(templates: readonly Template[], { type, language }: TemplateKey): Template | null {
  return templates.find((one) => one.type === type && one.language === language) ?? null
}

/** False if there is no such template. */
export function deleteTemplate({ store }: { store: SettingsStore }, key: TemplateKey): Promise<boolean> {
  return store.removeTemplate(key)
}

function isAsSeen(template: Template | null, seen: SeenVersion): boolean {
  if (seen === 'any') return true
  return template !== null && (seen === 'existing' || seen.includes(template.version))
}
