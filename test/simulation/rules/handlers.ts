// The invariant of handlers: their effect and the settlement of their event are one transaction.
import { HANDLER_CHANNEL } from '../../../src/domain/settings/channel.ts'
import { changesOf, type EventRow } from '../record/ledger.ts'
import { firstWrong, type Rule } from './rule.ts'

const oneEffect: Rule = {
  name: 'one effect',
  description:
    'A transaction that makes a handled event COMPLETED stores its effect, and no other stores any: each has exactly one.',
  watch() {
    const written = new Set<string>()
    return (entry) => {
      if (entry.kind !== 'commit') return null
      const effects = changesOf<{ event_id: string }>(entry.rows, 'effects').map(
        ({ after }) => after!.event_id,
      )
      const completed = changesOf<EventRow>(entry.rows, 'events').flatMap(({ before, after }) =>
        after?.status === 'COMPLETED' &&
        before?.status !== 'COMPLETED' &&
        after.channel_id === HANDLER_CHANNEL
          ? [after.id]
          : [],
      )
      return (
        firstWrong(effects, (id) => {
          if (written.has(id)) return `${id} has two effects.`
          written.add(id)
          return completed.includes(id)
            ? null
            : `${entry.who} stored an effect of ${id}, which is not COMPLETED.`
        }) ??
        firstWrong(completed, (id) =>
          effects.includes(id) ? null : `${id} is COMPLETED without its effect.`,
        )
      )
    }
  },
}

export const HANDLER_RULES: readonly Rule[] = [oneEffect]
