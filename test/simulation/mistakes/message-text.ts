// Mistakes in what is said, to whom, and until when.
import type { Claim, Render } from '../../../src/ports/claim.ts'
import type { Store } from '../../../src/ports/store.ts'
import { readOnce } from './channels.ts'
import { type Bug, replaceIn } from './mistake.ts'

/** The store with every claim seen differently. */
export function claiming(store: Store, change: (claim: Claim, render: Render) => Claim): Store {
  return replaceIn(store, {
    async claimDue(claim) {
      const claims = await store.claimDue(claim)
      return claims.map((taken) => change(taken, claim.render))
    },
  })
}

const sentToNobody: Bug = {
  name: 'sent-to-nobody',
  words: 'Who has no address gets their mail at a made-up one.',
  breaks: ['said as asked'],
  store: (store) =>
    replaceIn(store, {
      claimDue: (claim) => {
        const email = 'nobody@example.com'
        const render: Render = (taken) =>
          claim.render({ ...taken, user: { ...taken.user, email: taken.user.email ?? email } })
        return store.claimDue({ ...claim, render })
      },
    }),
}

const languageIgnored: Bug = {
  name: 'no-language',
  words: 'Everybody gets the words that are for those without a language.',
  breaks: ['said as asked', 'failed for cause'],
  engine: ({ templates }) => ({
    templates: { ...templates, choose: (type) => templates.choose(type, null) },
  }),
}

const oldWords: Bug = {
  name: 'old-words',
  words: 'A worker reads the templates once, when it starts.',
  breaks: ['said as asked'],
  store: (store, { who }) => (who.startsWith('api') ? store : readOnce(store, 'listTemplates')),
}

const newWordsInFlight: Bug = {
  name: 'new-words-in-flight',
  words: 'A template that changes between two tries changes what the second says.',
  breaks: ['written first', 'same bytes'],
  store: (store) =>
    claiming(store, (taken, render) => {
      const anew = taken.body === null ? null : render(taken)
      if (anew === null) return taken
      const { message } = JSON.parse(anew) as { message: string }
      return { ...taken, body: JSON.stringify({ ...JSON.parse(taken.body!), message }) }
    }),
}

const cutOffIgnored: Bug = {
  name: 'cut-off-ignored',
  words: 'An event is tried until it is through, whatever the hour.',
  breaks: ['not after'],
  store: (store) =>
    claiming(store, (taken) => ({ ...taken, occasion: { ...taken.occasion, notAfter: null } })),
}

const cutOffAtOnce: Bug = {
  name: 'cut-off-at-once',
  words: 'An hour that lies before nine is over as soon as the day begins.',
  breaks: ['failed for cause'],
  store: (store) =>
    claiming(store, (taken) => {
      const { notAfter } = taken.occasion
      const over = notAfter !== null && notAfter < '09:00' && taken.replayOf === null
      return over ? { ...taken, targetAt: taken.targetAt - 24 * 60 * 60 * 1000 } : taken
    }),
}

export const WORD_BUGS: readonly Bug[] = [
  sentToNobody,
  languageIgnored,
  oldWords,
  newWordsInFlight,
  cutOffIgnored,
  cutOffAtOnce,
]
