// The stored templates as workers see them: read anew every few seconds, so that a change made anywhere reaches all.
import { chooseTemplate, type Template } from '../../domain/messages/template.ts'
import type { Clock } from '../../ports/clock.ts'
import type { SettingsStore } from '../../ports/store.ts'
import type { Telemetry } from '../../ports/telemetry.ts'

export type Templates = {
  /** To be called before events are taken: reads what is stored, unless that was done just now. */
  refresh(): Promise<void>
  /** The text stored for a kind of event and a language; null for none. */
  choose(type: string, language: string | null): Template | null
}

/** How long a change of a template may take to reach a worker. */
const FRESH_MS = 2_000
/** How long they are good for while they cannot be read anew. */
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
  /** When that last succeeded. */
  let knownAt = Number.NEGATIVE_INFINITY

  async function refresh(): Promise<void> {
    const now = clock.now()
    if (Math.abs(now - readAt) < FRESH_MS) return
    try {
      known = await store.listTemplates()
      knownAt = now
      chosen.clear()
    } catch (error) {
      // Who never read them, or slept since, could only send other words than were asked for. Who did sends what was right
      // just now.
      if (Math.abs(now - knownAt) > USABLE_MS) throw error
      telemetry({
        kind: 'trouble',
        during: 'reading templates',
        error,
        retryInMs: FRESH_MS,
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

/** For whoever has no templates to manage: every event has the text of its occasion, or the built-in one. */
export const BUILT_IN_ONLY: Templates = {
  refresh: async () => {},
  choose: () => null,
}
