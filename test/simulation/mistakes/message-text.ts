// Mistakes with texts, addresses and cut-off hours.
import type { Claim, Render } from '../../../src/ports/claim.ts'
import type { Store } from '../../../src/ports/store.ts'
import { readOnce } from './channels.ts'
import { type Mistake, replaceIn } from './mistake.ts'

/** The store with every claim changed. */
export function claiming(store: Store, change: (claim: Claim, render: Render) => Claim): Store {
  return replaceIn(store, {
    async claimDue(claim) {
      const claims = await store.claimDue(claim)
      return claims.map((claimed) => change(claimed, claim.render))
    },
  })
}

const madeUpAddress: Mistake = {
  name: 'made-up-address',
  description: 'A mail to a person without an address goes to a made-up address.',
  breaks: ['right text and address'],
  store: (store) =>
    replaceIn(store, {
      claimDue: (claim) => {
        const email = 'nobody@example.com'
        const render: Render = (claimed) =>
          claim.render({ ...claimed, user: { ...claimed.user, email: claimed.user.email ?? email } })
        return store.claimDue({ ...claim, render })
      },
    }),
}

const languageIgnored: Mistake = {
  name: 'language-ignored',
  description: 'Everybody gets the text for people without a language.',
  breaks: ['right text and address', 'failure reason is true'],
  engine: ({ templates }) => ({
    templates: { ...templates, choose: (type) => templates.choose(type, null) },
  }),
}

const templatesReadOnce: Mistake = {
  name: 'templates-read-once',
  description: 'A worker reads the templates once, when it starts.',
  breaks: ['right text and address'],
  store: (store, { who }) => (who.startsWith('api') ? store : readOnce(store, 'listTemplates')),
}

const newTextInFlight: Mistake = {
  name: 'new-text-in-flight',
  description: 'A template that changes between two attempts changes the text of the second.',
  breaks: ['stored before sent', 'same bytes'],
  store: (store) =>
    claiming(store, (claimed, render) => {
      const rendered = claimed.body === null ? null : render(claimed)
      if (rendered === null) return claimed
      const { message } = JSON.parse(rendered) as { message: string }
      return { ...claimed, body: JSON.stringify({ ...JSON.parse(claimed.body!), message }) }
    }),
}

const limitOfOneForAll: Mistake = {
  name: 'limit-of-one-for-all',
  description:
    'After a text could not be rendered for one person, the worker fails the events of all others.',
  breaks: ['failure reason is true'],
  store: (store) => {
    let isBroken = false
    return replaceIn(store, {
      claimDue: (claim) => {
        const render: Render = (claimed) => {
          const template = isBroken ? '{{ broken' : claimed.occasion.template
          const body = claim.render({ ...claimed, occasion: { ...claimed.occasion, template } })
          isBroken ||= body === null
          return body
        }
        return store.claimDue({ ...claim, render })
      },
    })
  },
}

const dueTimeByOldOffset: Mistake = {
  name: 'due-time-by-old-offset',
  description:
    'The due time in a reminder has the UTC offset of the reminder, though the clocks change in between.',
  breaks: ['right text and address'],
  store: (store, { planner }) =>
    replaceIn(store, {
      claimDue: (claim) => {
        const render: Render = (claimed) => {
          const { task, timezone, offsetSeconds } = claimed
          if (task === null) return claim.render(claimed)
          const changeMs = offsetSeconds * 1000 - planner.table.zone(timezone).offsetMsAt(task.dueAt)
          return claim.render({ ...claimed, task: { ...task, dueAt: task.dueAt + changeMs } })
        }
        return store.claimDue({ ...claim, render })
      },
    }),
}

const cutOffIgnored: Mistake = {
  name: 'cut-off-ignored',
  description: 'An event is retried past the cut-off hour.',
  breaks: ['nothing after the cut-off'],
  store: (store) =>
    claiming(store, (claimed) => ({ ...claimed, occasion: { ...claimed.occasion, notAfter: null } })),
}

const cutOffOnTheSameDay: Mistake = {
  name: 'cut-off-on-the-same-day',
  description: 'A cut-off hour before 09:00 is taken to be on the same day, not the next.',
  breaks: ['failure reason is true'],
  store: (store) =>
    claiming(store, (claimed) => {
      const { notAfter } = claimed.occasion
      const over = notAfter !== null && notAfter < '09:00' && claimed.replayOf === null
      return over ? { ...claimed, targetAt: claimed.targetAt - 24 * 60 * 60 * 1000 } : claimed
    }),
}

export const TEXT_MISTAKES: readonly Mistake[] = [
  madeUpAddress,
  languageIgnored,
  templatesReadOnce,
  newTextInFlight,
  limitOfOneForAll,
  dueTimeByOldOffset,
  cutOffIgnored,
  cutOffOnTheSameDay,
]
