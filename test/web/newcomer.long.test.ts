// Tasks of a reader who has never seen the product, on every screen: import a CSV file with errors, find the failed message of
// one person, see the response of the receiver, retry the message, and add a channel.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { afternoonZone, birthDateToday, type Dashboard, startDashboard } from './support/browser.ts'
import { startReceiver, type TestReceiver } from './support/receiver.ts'
import { goTo, onEvery, SCREENS } from './support/screens.ts'

/** One reader on each screen. All use one server, each with a person of their own. */
type Reader = { name: string; page: Page; surname: string }

const SURNAMES = ['Abara', 'Bello', 'Costa', 'Duarte', 'Eriksen', 'Farouk']

let dashboard: Dashboard
let receiver: TestReceiver
let readers: Reader[]

beforeAll(async () => {
  receiver = await startReceiver()
  receiver.rejects = true
  dashboard = await startDashboard({ WEBHOOK_URL: receiver.url })
  const zone = afternoonZone(Date.now())
  const dateOfBirth = birthDateToday(zone, Date.now())
  readers = await Promise.all(
    SCREENS.map(async ({ name, options }, index) => {
      const surname = SURNAMES[index]!
      const person = { firstName: 'Nia', lastName: surname, dateOfBirth, timezone: zone, sendTodayNow: true }
      await dashboard.call('POST', '/user', person)
      return { name, surname, page: await dashboard.open('', options) }
    }),
  )
})
afterAll(async () => {
  await dashboard?.close()
  receiver?.close()
})

describe('a reader who has never seen the product', () => {
  it('imports a CSV file, and sees each error with its line and a suggestion', () =>
    onEvery(readers, async ({ page, surname }) => {
      const file = [
        'first name,last name,date of birth,time zone',
        `Ines,${surname},1990-05-17,Europe/Lisbon`,
        `Ivo,${surname},1990-13-17,Europe/Lisbon`,
        `Iris,${surname},1991-02-03,Europe/Lisbonn`,
        `Ilse,${surname},1988-02-29,Europe/Berlin`,
      ].join('\n')
      await goTo(page, 'People')
      await page.getByRole('button', { name: 'Import CSV' }).click()
      const dialog = page.getByRole('dialog', { name: 'Import people' })
      const buffer = Buffer.from(file)
      await dialog
        .locator('input[type=file]')
        .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer })
      const problems = dialog.getByRole('table', { name: 'Problems' })
      await problems.getByRole('row', { name: /^3 .*1990-13-17/ }).waitFor()
      await problems.getByRole('row', { name: /^4 .*Europe\/Lisbon\b/ }).waitFor()
      await dialog.getByRole('button', { name: /^Import 2/ }).click()
      await dialog.getByText('2 people imported.').waitFor()
      await dialog.getByRole('button', { name: 'Done' }).click()
      await page.getByRole('link', { name: `Ines ${surname}` }).waitFor()
    }))

  it('finds the failed message of one person', () =>
    onEvery(readers, async ({ page, surname }) => {
      await goTo(page, 'Messages')
      const status = page.getByLabel('Status')
      await status.waitFor({ state: 'attached' })
      // On phones the filters are behind a button.
      if (!(await status.isVisible())) await page.getByRole('button', { name: 'Filters' }).click()
      await status.selectOption('failed')
      await page.getByRole('link', { name: new RegExp(`failed.*Nia ${surname}`) }).click()
      await page.getByRole('heading', { name: /Birthday, \d+ \w+ \d{4}$/ }).waitFor()
    }))

  it('sees the response of the receiver', () =>
    onEvery(readers, async ({ page }) => {
      await page.getByText('rejected by the test').filter({ visible: true }).first().waitFor()
    }))

  it('retries the message, which is delivered', async () => {
    receiver.rejects = false
    await onEvery(readers, async ({ page }) => {
      await page
        .getByRole('button', { name: /^Retry/ })
        .first()
        .click()
      await page.getByText('sent', { exact: true }).first().waitFor()
    })
    expect(receiver.keys).toHaveLength(readers.length)
  })

  it('adds a channel and tests it', () =>
    onEvery(readers, async ({ page, surname }) => {
      await goTo(page, 'Settings')
      await page.getByLabel('Name').fill(surname.toLowerCase())
      await page.getByLabel('URL').fill(`${receiver.url}/${surname}`)
      await page.getByRole('button', { name: 'Add webhook' }).click()
      await page.getByText(/^whsec_/).waitFor()
      const item = page.getByRole('listitem').filter({ hasText: `/${surname}` })
      await item.getByRole('button', { name: 'Test' }).click()
      await item.getByText(/Test delivered: 204/).waitFor()
      expect(dashboard.pageErrors()).toEqual([])
    }))
})
