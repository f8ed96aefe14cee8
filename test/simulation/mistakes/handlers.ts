// Mistakes with the transactions of handlers.

import { INSERT_EFFECT } from '../support/application-tables.ts'
import type { Mistake } from './mistake.ts'

const effectCommittedFirst: Mistake = {
  name: 'effect-committed-first',
  description: 'The effect of a handler is committed by itself, before the settlement.',
  breaks: ['one effect'],
  handlers: ({ begin }, { executor }) => ({
    begin: () => ({
      ...begin(),
      write: async (eventId) => {
        await executor.batch([{ sql: INSERT_EFFECT, params: [eventId, 'nobody'] }])
      },
    }),
  }),
}

const settledApart: Mistake = {
  name: 'settled-apart',
  description:
    'The event of a handler is settled by itself, also if the transaction of the handler rolls back.',
  breaks: ['one effect'],
  handlers: (_, { store }) => ({ storeIn: () => store }),
}

const lostClaimCommitted: Mistake = {
  name: 'lost-claim-committed',
  description:
    'The transaction of a handler commits whether or not its claim still has the version that it settles.',
  breaks: ['one effect'],
  handlers: ({ storeIn }) => ({
    storeIn: (tx) => {
      const inside = storeIn(tx)
      return {
        ...inside,
        settle: async (settlements) => {
          await inside.settle(settlements)
          return { settled: settlements.map(({ eventId }) => eventId), stale: [], replan: [] }
        },
      }
    },
  }),
}

export const HANDLER_MISTAKES: readonly Mistake[] = [effectCommittedFirst, settledApart, lostClaimCommitted]
