// The ledger on the real product: the days, the account of a day with its lines.
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { dayName, endOfDay } from '../../src/domain/ledger/day.ts'
import type { LedgerLine } from '../../src/domain/ledger/line.ts'
import type { ClosedDay } from '../../src/ports/store.ts'
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import { HOUR, makePerson } from '../support/fixtures.ts'
import { type Dashboard, startDashboard } from './support/browser.ts'
import { closeDays, deliveryLine, endedDays, erased } from './support/closed-days.ts'

const [first, second, last] = endedDays(3, Date.now()) as [string, string, string]
/** An event that exists, so that its page can be opened. */
const ada = makePerson({ firstName: 'Ada', targetAt: Date.now() + HOUR })
const eventId = ada.events[0]!.id
const raden = makePerson({ firstName: 'Raden', timezone: 'Europe/Berlin', targetAt: Date.now() + HOUR })
const lineOf = (day: string, over: Partial<LedgerLine> = {}) => deliveryLine(day, ada.occasions[0]!.id, over)

/** A narrow screen, and half of it without the margins. */
const NARROW = 390
const HALF_OF_NARROW = NARROW / 2 - 20

const nextYear = Number(last.slice(0, 4)) + 1

let dashboard: Dashboard
let page: Page
let closed: ClosedDay[]

beforeAll(async () => {
  dashboard = await startDashboard()
})
afterAll(() => dashboard?.close())
afterEach(async () => {
  await page?.context().close()
  expect(dashboard.pageErrors()).toEqual([])
})

describe('the ledger without a closed day', () => {
  it('says when the first day is closed', async () => {
    page = await dashboard.open('ledger')
    await page.getByText('No closed day yet.').waitFor()
    const closed = page.getByText(/At the latest, the first one is closed in \d.*12:00Z\./)
    await closed.waitFor()
    // Polled: at midnight the next day takes the place of this one.
    const fromTodaysEnd = async () =>
      Date.parse((await closed.locator('time').getAttribute('datetime'))!) - endOfDay(dayName(Date.now()))
    await expect.poll(fromTodaysEnd).toBe(0)
  })
})

describe('the ledger', () => {
  beforeAll(async () => {
    const store = openSqliteStore(dashboard.database)
    await store.createUsers([ada, raden])
    await dashboard.call('PUT', `/user/${raden.user.id}`, { timezone: 'Asia/Jakarta' })
    const [moved] = (await store.readJournal({ kinds: ['person-changed'], from: 0 })).entries
    await store.close()
    const unsettled = { eventId: null, settledAt: null, attempt: null }
    const lines = [
      lineOf(last, { eventId }),
      lineOf(last, { settledAt: Date.parse(last) + 9 * HOUR + 15 * 60_000, carriedFrom: second }),
      lineOf(last, { column: 'failed', reason: 'HTTP 410' }),
      lineOf(last, { ...unsettled, column: 'excused', reason: 'EARLIER_ONE_WAS_OPEN', because: eventId }),
      deliveryLine(last, raden.occasions[0]!.id, {
        ...unsettled,
        column: 'excused',
        reason: 'CHANGED',
        entry: moved!.number,
      }),
      lineOf(last, {
        ...unsettled,
        column: 'unexplained',
        reason: 'NO_EVENT',
        dueAt: Date.parse(`${nextYear}-06-15`),
      }),
      erased(lineOf(last)),
    ]
    closed = await closeDays(dashboard.database, [
      { day: first, lines: [] },
      { day: second, lines: Array.from({ length: 60 }, () => lineOf(second)) },
      { day: last, lines },
    ])
  })

  const lines = () => page.getByRole('list', { name: 'Lines' }).getByRole('listitem')
  const linesAre = (n: number) => expect.poll(() => lines().count()).toBe(n)

  it('has a row for each day, and names what is unexplained beside the date', async () => {
    page = await dashboard.open('today')
    await page.locator('main h1').waitFor()
    await page.keyboard.type('gl')
    await page.waitForURL('**/app/ledger')
    await page.getByText('3 closed days, 66 messages owed. 1 day has messages').waitFor()
    const rows = page.getByRole('row')
    expect(await cellsOf(rows.nth(0))).toEqual([
      'Day',
      'Owed',
      'Delivered',
      'Late',
      'Early',
      'Failed',
      'Excused',
      'Open',
      'Unexplained',
      'Surplus',
    ])
    const [date, ...totals] = await cellsOf(rows.nth(1))
    expect(date).toContain('! 1 unexplained')
    expect(totals).toEqual(['7', '3', '1', '0', '1', '2', '0', '1', '0'])
    expect((await cellsOf(rows.nth(2))).slice(1)).toEqual(['60', '60', '0', '0', '0', '0', '0', '0', '0'])
    expect((await cellsOf(rows.nth(3)))[1]).toBe('0')
    expect(await rows.count()).toBe(4)
  })

  it('has the account of today so far', async () => {
    page = await dashboard.open('ledger')
    const today = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Today so far' }) })
    await today.getByText(/^Due up to /).waitFor()
    await expect.poll(() => today.locator('dt').allInnerTexts()).toContain('Unexplained')
  })

  it('has a year of days that the arrow keys move through, and Enter opens one', async () => {
    page = await dashboard.open('ledger')
    const grid = page.getByRole('group', { name: 'Days of the last year' })
    const newest = grid.locator(`[data-date="${last}"]`)
    await newest.waitFor()
    expect(await newest.getAttribute('aria-label')).toMatch(
      /: 7 owed, 3 delivered, 1 late, 1 failed, 2 excused, 1 unexplained$/,
    )
    expect(await newest.innerText()).toBe('!')
    expect(await grid.getByRole('link').count()).toBe(3)
    expect(await grid.locator('[tabindex="0"]').count()).toBe(1)
    await newest.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/app/ledger/${second}`)
    await linesAre(50)
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await linesAre(10)
    expect(new URL(page.url()).pathname).toBe(`/app/ledger/${second}`)
  })

  it('shows the lines of a day with their reasons, filtered by column, and opens the message', async () => {
    page = await dashboard.open(`ledger/${last}`)
    await linesAre(7)
    await lines().filter({ hasText: 'erased' }).waitFor()
    await lines()
      .filter({ hasText: 'Delivered 09:15:00Z, 15 min delay' })
      .getByText(/^from /)
      .waitFor()
    await lines().filter({ hasText: 'It failed: the receiver responded with HTTP 410.' }).waitFor()
    await page.getByRole('link', { name: 'Show unexplained lines' }).click()
    await linesAre(1)
    await lines().getByText('It was owed on this day, and there is no event for it.').waitFor()
    await page.getByLabel('Column').selectOption('excused')
    await page.waitForURL(/\?column=excused$/)
    await lines().getByText('An earlier message of the occasion was not settled').waitFor()
    await lines()
      .getByText(/ \d{4} [\d:]{8}Z: Moved from Europe\/Berlin to Asia\/Jakarta\.$/)
      .waitFor()
    await lines().getByRole('link', { name: 'The other message' }).click()
    await page.waitForURL(`**/app/event/${eventId}`)
    await page.getByText(`In the ledger of ${last}: delivered.`).waitFor()
    await page.getByRole('link', { name: `ledger of ${last}` }).click()
    await linesAre(7)
  })

  it('opens the person of a line without a message, and shows the year that it is due in', async () => {
    page = await dashboard.open(`ledger/${last}?column=unexplained`, {
      viewport: { width: NARROW, height: 844 },
    })
    await linesAre(1)
    await lines()
      .getByText(new RegExp(`^Due \\w+ 15 Jun ${nextYear} 00:00:00Z \\(\\d\\d:00 local\\)$`))
      .waitFor()
    const { width, needed } = await widthOf(page.getByLabel('Column'))
    expect(width).toBeGreaterThanOrEqual(Math.min(needed, HALF_OF_NARROW))
    const { firstName, lastName } = ada.user
    await lines().getByText('Birthday', { exact: true }).waitFor()
    await lines()
      .getByRole('link', { name: `${firstName} ${lastName}` })
      .click()
    await page.waitForURL(`**/app/people/${ada.user.id}`)
  })

  it('shows when the day was closed, and its hash to copy', async () => {
    page = await dashboard.open(`ledger/${last}`)
    const { hash } = closed[2]!
    await page.getByText(hash.slice(0, 12)).waitFor()
    await page.getByRole('button', { name: 'Copy hash' }).click()
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(hash)
    await page.getByText(/Closed .* Account of 1,000 people, with 1 line carried over/).waitFor()
    await page.goto(`${dashboard.url}/app/ledger/${first}`)
    await page.getByText('No lines.').waitFor()
  })

  it('says that the account of a day is being computed', async () => {
    page = await dashboard.open('nowhere')
    const account = await dashboard.call<{ day: object }>('GET', `/ledger/${last}`)
    const day = { ...account.day, state: 'closing', closedAt: null }
    await page.route(`**/ledger/${last}?*`, (route) => route.fulfill({ json: { ...account, day } }))
    await page.goto(`${dashboard.url}/app/ledger/${last}`)
    await page.getByText('The account is being computed.').waitFor()
    await linesAre(7)
  })

  it('says which days are closed at the address of another day, and knows that a word is no date', async () => {
    page = await dashboard.open('ledger/2020-01-01')
    await page.getByText('No account of this day.').waitFor()
    await page.getByText(`The days from ${first} to ${last} are closed.`).waitFor()
    // The browser reports the response itself.
    expect(dashboard.pageErrors()).toEqual([expect.stringContaining('404')])
    await page.goto(`${dashboard.url}/app/ledger/yesterday`)
    await page.getByRole('heading', { name: 'Page not found.' }).waitFor()
  })
})

async function cellsOf(row: Locator): Promise<string[]> {
  return row.locator('th, td').allInnerTexts()
}

/** The width of a select, and the one that its longest option needs, which depends on the font. */
function widthOf(select: Locator): Promise<{ width: number; needed: number }> {
  return select.evaluate((element: { offsetWidth: number; style: { maxWidth: string } }) => {
    const width = element.offsetWidth
    element.style.maxWidth = 'none'
    return { width, needed: element.offsetWidth }
  })
}
