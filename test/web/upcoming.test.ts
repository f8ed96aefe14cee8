// The upcoming page on the real product: the next messages, a day with hundreds of messages, the year grid.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import { DAY, HOUR, makePerson } from '../support/fixtures.ts'
import { useDashboard } from './support/use-dashboard.ts'

/** The middle of a day in UTC, about a month ahead. */
const BUSY = (Math.floor(Date.now() / DAY) + 30) * DAY + 12 * HOUR
const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10)

let page: Page

const dashboard = useDashboard({}, async () => {
  const people = Array.from({ length: 250 }, (_, i) =>
    makePerson({ firstName: `Person ${i}`, lastName: 'Busy', targetAt: BUSY }),
  )
  const next = ['One', 'Two', 'Three'].map((lastName) =>
    makePerson({ firstName: 'Next', lastName, targetAt: BUSY + DAY }),
  )
  const soon = makePerson({ firstName: 'Ada', lastName: 'Lovelace', targetAt: Date.now() + HOUR })
  const store = await openSqliteStore(dashboard.database)
  await store.createUsers([...people, ...next, soon])
  await store.close()
})

const WAIT = { timeout: 60_000 }
const rows = () => page.getByRole('list', { name: 'Messages', exact: true }).getByRole('listitem')

const rowsAre = (n: number) => expect.poll(() => rows().count(), WAIT).toBe(n)

describe('the upcoming page', () => {
  it('opens with the next messages, soonest first', async () => {
    page = await dashboard.open('upcoming')
    await page.getByRole('heading', { name: 'Next messages' }).waitFor()
    await rowsAre(20)
    expect(await rows().first().innerText()).toContain('Ada Lovelace')
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await expect.poll(async () => (await rows().first().innerText()).includes('Ada'), WAIT).toBe(false)
    expect(page.url()).toContain('cursor=')
    await page.goBack()
    await expect.poll(async () => (await rows().first().innerText()).includes('Ada'), WAIT).toBe(true)
  })

  it('lists all messages of a day page by page, however many the day before has', async () => {
    page = await dashboard.open('upcoming')
    const after = page.locator(`[data-date="${dateOf(BUSY + DAY)}"]`)
    expect(await after.getAttribute('aria-label')).toMatch(/: 3 messages$/)
    await after.click()
    await rowsAre(3)
    await page.reload()
    await rowsAre(3)
    expect(page.url()).toContain(`day=${dateOf(BUSY + DAY)}`)
    await after.press('ArrowUp')
    await rowsAre(50)
    const seen = new Set<string>()
    const people = async () =>
      (await rows().allInnerTexts()).map((text) => /Person \d+/.exec(text)?.[0] ?? '')
    for (let left = 250; left > 0; left -= 50) {
      await expect.poll(async () => seen.has((await people())[0]!), WAIT).toBe(false)
      for (const person of await people()) seen.add(person)
      if (left > 50) await page.getByRole('button', { name: 'Next', exact: true }).click()
    }
    expect(seen.size).toBe(250)
    expect(await page.getByRole('button', { name: 'Next', exact: true }).isDisabled()).toBe(true)
    await page.locator(`[data-date="${dateOf(BUSY)}"]`).press('Escape')
    await page.getByRole('heading', { name: 'Next messages' }).waitFor()
    expect(page.url()).not.toContain('day=')
  })

  it('has a legend with numbers, and labels its first month', async () => {
    page = await dashboard.open('upcoming')
    const legend = page.getByRole('list', { name: 'Messages per day' })
    await legend.waitFor()
    expect(await legend.getByRole('listitem').allInnerTexts()).toEqual([
      'Messages per day:',
      '0',
      '1',
      '2–3',
      '4–250',
      'contains the busiest minute',
    ])
    const month = new Date().toLocaleString('en', { month: 'short', timeZone: 'UTC' })
    const labels = await page.locator('[data-month]').allInnerTexts()
    expect(labels.find((label) => label !== '')).toBe(month)
  })
})
