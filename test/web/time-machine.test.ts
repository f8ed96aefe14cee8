// The time machine on the real product.
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Dashboard, startDashboard } from './support/browser.ts'

let dashboard: Dashboard
let page: Page

beforeAll(async () => {
  dashboard = await startDashboard()
})
afterAll(() => dashboard?.close())
afterEach(async () => {
  await page?.context().close()
  expect(dashboard.pageErrors()).toEqual([])
})

describe('the time machine', () => {
  it('explains exceptions, applies a what-if change, and exports a test', async () => {
    page = await dashboard.open('machine?dob=1992-02-29&zone=America/Vancouver')
    await page
      .getByText(/29 February does not exist in 20\d\d: kept on 1 March/)
      .first()
      .waitFor()
    await page.getByLabel('29 February in non-leap years').selectOption('FEBRUARY_28')
    await page
      .locator('li')
      .filter({ hasText: /kept on 28 February/ })
      .first()
      .waitFor()
    await page
      .getByText(/instead of \w+ 1 Mar 16:00Z/)
      .first()
      .waitFor()
    await page.getByRole('slider', { name: 'Preview date' }).fill('2000')
    expect(page.url()).toMatch(/ifLeap=FEBRUARY_28&at=20\d\d/)
    await page.getByRole('button', { name: 'Export as test' }).click()
    await page.getByText("from 'terce/core'").waitFor()
  })

  it('previews an occasion with a recurrence rule or another calendar, with a what-if change', async () => {
    const weekly = { type: 'STANDUP', date: '2026-01-05', repeats: 'FREQ=WEEKLY;BYDAY=MO', template: 'Up' }
    const hebrew = { type: 'YAHRZEIT', date: '2020-09-19', calendar: 'hebrew', template: 'Light' }
    const person = {
      firstName: 'Noa',
      lastName: 'Levi',
      dateOfBirth: '1990-01-02',
      timezone: 'Asia/Jerusalem',
    }
    const { user } = await dashboard.call<{ user: { id: string } }>('POST', '/user', person)
    for (const occasion of [weekly, hebrew]) {
      await dashboard.call('POST', `/user/${user.id}/occasion`, occasion)
    }
    page = await dashboard.open('machine')
    await page.getByRole('combobox', { name: 'Find a person' }).fill('levi')
    await page.getByRole('option', { name: /Noa Levi/ }).click()
    await page
      .getByLabel('Occasion')
      .selectOption({ label: 'Standup, every week on Monday at 09:00 local time from 2026-01-05 on' })
    await page.getByRole('heading', { name: 'Standup: messages in Jerusalem' }).waitFor()
    const rows = page.getByRole('listitem').filter({ hasText: /Mon \d/ })
    await rows.nth(20).waitFor()
    await page.getByLabel('If sent at').fill('10:30')
    await page
      .getByText(/instead of Mon \d+ \w+ 0[67]:00Z/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByLabel('Occasion').selectOption({ label: 'Yahrzeit, Hebrew calendar' })
    await page.getByRole('heading', { name: 'Yahrzeit: messages in Jerusalem' }).waitFor()
    // 1 Tishri of 5789.
    await page
      .getByText(/21 Sep/)
      .first()
      .waitFor()
  })

  it('previews a CSV file, and lists the lines that it could not read', async () => {
    page = await dashboard.open('machine')
    const table =
      'firstName,lastName,dateOfBirth,timezone\nIda,Noon,1990-03-14,America/New_York\nX,Y,1990-03-14,Mars\n'
    const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(table) }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByText('1 person in people.csv').waitFor()
    await page
      .getByRole('table', { name: 'Problems' })
      .getByRole('row', { name: /^3 timezone .*Mars/ })
      .waitFor()
    await page.getByText('Ida Noon').waitFor()
  })
})
