// The stored templates, reloaded every second, so that a change made in one process reaches every worker.
import { chooseTemplate, type Template } from '../../domain/messages/template.ts'
import type { Clock } from '../../ports/clock.ts'
import type { SettingsStore } from '../../ports/store.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import { RELOAD_MS } from './destinations.ts'

export type Templates = {
  /** Reloads the templates, at most every second. Call it before each claim. `at`: when they will be used, by default now. */
  refresh(at?: number): Promise<void>
  /** The text stored for a kind of event and a language; null for none. */
  choose(type: string, language: string | null): Template | null
}

/** How long cached templates stay usable while they cannot be reloaded. */
const USABLE_MS = 60_000

export function createTemplates(deps: {
  store: SettingsStore
  clock: Clock
  telemetry: Telemetry
}): Templates {
  const { store, clock, telemetry } = deps
  let known: readonly Template[] | null = null
  const chosen = new Map<string, Template | null>()
  let readAt = Number.NEGATIVE_INFINITY
  /** When a reload last succeeded. */
  let knownAt = Number.NEGATIVE_INFINITY

  async function refresh(at?: number): Promise<void> {
    const now = clock.now()
    if (Math.abs((at ?? now) - readAt) < RELOAD_MS) return
    try {
      known = await store.listTemplates()
      knownAt = now
      chosen.clear()
    } catch (error) {
      // Fail the claim rather than send outdated text once the cache is older than 60 s; until then keep using it.
      if (Math.abs(now - knownAt) > USABLE_MS) throw error
      telemetry({
        kind: 'error',
        operation: 'load-templates',
        error,
        retryInMs: RELOAD_MS,
      })
    }
    readAt = now
  }

  function choose(type: string, language: string | null): Template | null {
    const key = `${type} ${language ?? ''}`
    let template = chosen.get(key)
    if (template === undefined) {
      template = chooseTemplate(known ?? [], { type, language })
      chosen.set(key, template)
    }
    return template
  }

  return { refresh, choose }
}
