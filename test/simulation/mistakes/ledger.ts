// Mistakes of the processes that close the days of the ledger.
import { type Mistake, replaceIn } from './mistake.ts'

/** The pages that processes of each simulated world have begun to store. */
const begun = new WeakMap<object, Set<string>>()

const accountPageLost: Mistake = {
  name: 'account-page-lost',
  description: 'A page of an account that another process began to store counts as stored.',
  breaks: ['closed days are complete'],
  store: (store, { world }) =>
    replaceIn(store, {
      saveAccountPage(page) {
        const pages = begun.get(world) ?? new Set()
        begun.set(world, pages)
        const name = `${page.day} ${page.from}`
        const isBegun = pages.has(name)
        pages.add(name)
        return store.saveAccountPage(isBegun ? { ...page, people: 0, lines: [] } : page)
      },
    }),
}

const accountPageTwice: Mistake = {
  name: 'account-page-twice',
  description: 'A page of an account is stored although another process has stored it.',
  // Two pages that are stored at once get the same numbers, which the key rejects.
  breaks: ['closed days are complete', 'no unexpected error'],
  store: (store) =>
    replaceIn(store, {
      async saveAccountPage(page) {
        const [day] = await store.listLedgerDays({ from: page.day, to: page.day, limit: 1 })
        // Under numbers of their own: the key of the lines rejects a number that the day has.
        const saved = (day?.owed ?? 0) + (day?.surplus ?? 0)
        const lines = page.lines.map((line, i) => ({ ...line, number: saved + i + 1 }))
        return store.saveAccountPage({ ...page, lines, from: day?.cursor ?? null })
      },
    }),
}

const accountSkipsPeople: Mistake = {
  name: 'account-skips-people',
  description: 'An account ends with the first page of people.',
  breaks: ['closed days are complete'],
  store: (store) =>
    replaceIn(store, {
      readAccounts: async (of) => ({ ...(await store.readAccounts(of)), nextCursor: null }),
    }),
}

const settledLaterForgotten: Mistake = {
  name: 'settled-later-forgotten',
  description: 'A message that is settled after its day was closed is on no account.',
  breaks: ['closed days are complete'],
  store: (store) => replaceIn(store, { listUnaccounted: async () => ({ items: [], nextCursor: null }) }),
}

export const LEDGER_MISTAKES: readonly Mistake[] = [
  accountPageLost,
  accountPageTwice,
  accountSkipsPeople,
  settledLaterForgotten,
]
