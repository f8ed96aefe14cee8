// Closing days: page by page, in several processes, with a budget, after a standstill, and while people are erased.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeDays } from '../../../src/app/ledger/close-days.ts'
import { recomputeHash } from '../../../src/app/ledger/day-hash.ts'
import type { LedgerDeps } from '../../../src/app/ledger/ledger-deps.ts'
import type { StoredLine } from '../../../src/domain/ledger/line.ts'
import type { LedgerDay, Store } from '../../../src/ports/store.ts'
import { DAY as DAY_MS } from '../../support/fixtures.ts'
import { DAY, type Installation, openInstallation } from './support/installation.ts'

let installation: Installation
let deps: LedgerDeps
let store: Store
beforeAll(async () => {
  installation = await openInstallation()
  deps = installation.deps
  store = installation.store
})
afterAll(() => installation.stop())

async function readDay(day = DAY): Promise<LedgerDay> {
  return (await store.listLedgerDays({ from: day, to: day, limit: 1 }))[0]!
}

async function linesOf(day = DAY): Promise<StoredLine[]> {
  return (await store.listLedgerLines({ day, limit: 1_000, cursor: null })).items
}

/** The content of the lines, in an order of its own. */
async function contentOf(day = DAY): Promise<string[]> {
  const lines = await linesOf(day)
  return lines.map(({ number: _, ...line }) => JSON.stringify(line)).sort()
}

/** The closed days whose rows do not give their hash. */
async function findings(): Promise<string[]> {
  const found: string[] = []
  for (const day of await store.listLedgerDays({ limit: 100 }))
    if (day.closedAt !== null && (await recomputeHash(store, day)) !== day.hash) found.push(day.day)
  return found
}

const withStore = (over: Partial<Store>): LedgerDeps => ({ ...deps, store: { ...store, ...over } })

const at = (now: number): LedgerDeps => ({ ...deps, clock: { ...deps.clock, now: () => now } })

/** The account of the day when nothing disturbs it. */
async function undisturbed() {
  return installation.undone(async () => {
    expect(await closeDays(deps)).toBe(false)
    const { people, owed, delivered } = await readDay()
    return { counts: { people, owed, delivered }, content: await contentOf() }
  })
}

/** Permits this many questions. */
function permits(times: number): () => boolean {
  let left = times
  return () => left-- > 0
}

describe('an account in parts', () => {
  it('that is stopped after every page, and continued, is that of one run', async () => {
    const whole = await undisturbed()
    await installation.undone(async () => {
      let parts = 1
      // The first question comes before the first page.
      while (await closeDays(deps, { pageSize: 1, mayContinue: permits(1) })) parts += 1
      expect(parts).toBeGreaterThan(whole.counts.people)
      expect(await readDay()).toMatchObject(whole.counts)
      expect(await contentOf()).toEqual(whole.content)
      expect(await findings()).toEqual([])
    })
  })
})

it('closes the day although the table has a row of a day that is far ahead', async () => {
  const whole = await undisturbed()
  await installation.undone(async () => {
    await store.openLedgerDay({ day: '2040-01-01', startedAt: 0 })
    expect(await closeDays(deps)).toBe(false)
    expect(await readDay()).toMatchObject(whole.counts)
  })
})

describe('two processes', () => {
  it('that close together leave one account: each occurrence once', async () => {
    const whole = await undisturbed()
    await installation.undone(async () => {
      const closed: string[] = []
      const process = (name: string): LedgerDeps => ({
        ...deps,
        telemetry: ({ kind }) => {
          if (kind === 'ledger') closed.push(name)
        },
      })
      const run = (name: string) => closeDays(process(name), { pageSize: 1 })
      await Promise.all([run('first'), run('second')])
      // One that lost a page has stopped, and so may both, each by a page of the other.
      while ((await readDay()).closedAt === null) await Promise.all([run('first'), run('second')])
      expect(closed).toHaveLength(1)
      expect(await contentOf()).toEqual(whole.content)
      expect(await findings()).toEqual([])
    })
  })
})

describe('the clock', () => {
  it('that went on for days without a process: all of them are closed in order, each chained to the one before', async () => {
    await installation.undone(async () => {
      const later = deps.clock.now() + 5 * DAY_MS
      expect(await closeDays(at(later))).toBe(false)
      const days = await store.listLedgerDays({ from: DAY, limit: 10 })
      expect(days.map(({ day, closedAt }) => [day, closedAt])).toEqual(
        ['17', '16', '15', '14', '13', '12'].map((day) => [`2027-03-${day}`, later]),
      )
      expect(await findings()).toEqual([])
    })
  })

  it('that is set back opens and closes no day, and the account goes on when it is right again', async () => {
    const whole = await undisturbed()
    await installation.undone(async () => {
      const now = deps.clock.now()
      expect(await closeDays(deps, { pageSize: 1, mayContinue: permits(3) })).toBe(true)
      const begun = await store.listLedgerDays({ limit: 100 })
      for (const back of [2, 5, 400]) {
        expect(await closeDays(at(now - back * DAY_MS))).toBe(false)
        expect(await store.listLedgerDays({ limit: 100 })).toEqual(begun)
      }
      expect(await closeDays(deps)).toBe(false)
      expect(await contentOf()).toEqual(whole.content)
      expect(await closeDays(at(now - 400 * DAY_MS))).toBe(false)
      expect((await store.listLedgerDays({ limit: 1 }))[0]!.day).toBe(DAY)
    })
  })
})

describe('an erasure while a day is closed', () => {
  /** Closes the day. A person is erased before or after the first of the calls of the store that matches. */
  async function closeDuring<K extends 'readJournal' | 'closeLedgerDay'>(
    when: 'before' | 'after',
    name: K,
    matches: (...args: Parameters<Store[K]>) => boolean = () => true,
  ): Promise<void> {
    let isErased = false
    const erase = async () => {
      isErased = true
      const [user] = (await store.findUsersByExternalId(['birthday'])) as { id: string }[]
      expect(await store.deleteUser(user!.id, deps.clock.now())).toBe(true)
    }
    const call = async (...args: Parameters<Store[K]>) => {
      const isThis = !isErased && matches(...args)
      if (isThis && when === 'before') await erase()
      const result = await (store[name] as (...args: unknown[]) => Promise<unknown>)(...args)
      if (isThis && when === 'after') await erase()
      return result
    }
    expect(await closeDays(withStore({ [name]: call }))).toBe(false)
    expect(isErased).toBe(true)
  }

  it('after the lines were read for the hash keeps the outcomes: the hash fits', async () => {
    await installation.undone(async () => {
      await closeDuring('before', 'closeLedgerDay')
      expect(await findings()).toEqual([])
      const isErased = ({ occasionId, reason }: StoredLine) => occasionId === null && reason === null
      expect((await linesOf()).filter(isErased)).toMatchObject([{ column: 'delivered', eventId: null }])
    })
  })

  it('after the deletions were read has a line all the same: they are read again', async () => {
    const whole = await undisturbed()
    await installation.undone(async () => {
      await closeDuring('after', 'readJournal', ({ kinds }) => kinds.includes('person-deleted'))
      expect((await readDay()).owed).toBe(whole.counts.owed)
      const isErased = (line: string) => line.includes('"reason":"ERASED"')
      const before = whole.content.filter(isErased)
      expect((await contentOf()).filter(isErased)).toHaveLength(before.length + 1)
      expect(await findings()).toEqual([])
    })
  })
})
