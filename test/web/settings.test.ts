// The settings page on the real product: channels, templates and time.
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Dashboard, startDashboard } from './support/browser.ts'
import { startReceiver, type TestReceiver } from './support/receiver.ts'

let dashboard: Dashboard
let receiver: TestReceiver
let page: Page

beforeAll(async () => {
  ;[dashboard, receiver] = await Promise.all([startDashboard(), startReceiver()])
  const person = { firstName: 'Raden', lastName: 'Kartini', dateOfBirth: '1992-02-29' }
  await dashboard.call('POST', '/user', { ...person, timezone: 'Asia/Jakarta' })
})
afterAll(async () => {
  await dashboard?.close()
  receiver?.close()
})
afterEach(async () => {
  await page?.context().close()
  expect(dashboard.pageErrors()).toEqual([])
})

describe('the settings page', () => {
  it('adds a webhook, shows its secret once, tests it and pauses it', async () => {
    page = await dashboard.open('settings')
    await page.getByLabel('Name').fill('second')
    await page.getByLabel('URL').fill(`${receiver.url}/second`)
    await page.getByRole('button', { name: 'Add webhook' }).click()
    await page.getByText(/^whsec_/).waitFor()
    const item = page.getByRole('listitem').filter({ hasText: '/second' })
    await item.getByRole('button', { name: 'Test' }).click()
    await item.getByText(/Test delivered: 204/).waitFor()
    await item.getByRole('button', { name: 'Pause' }).click()
    await item.getByText('paused', { exact: true }).waitFor()
    await page.reload()
    await item.waitFor()
    expect(await page.getByText(/^whsec_/).count()).toBe(0)
  })

  it('previews a template for a person while it is typed, and shows where it is wrong', async () => {
    page = await dashboard.open('settings?tab=templates')
    const text = page.getByLabel('Message (Liquid)')
    await page.getByRole('searchbox', { name: 'Preview as' }).fill('raden')
    await page.getByRole('button', { name: /Raden Kartini/ }).click()
    await text.fill('Selamat, {{ firstName }}! {{ age }}')
    await page.getByText(/^Selamat, Raden! \d\d$/).waitFor()
    await text.fill('Selamat, {{ firstName }')
    await page.getByText(/line 1/i).waitFor()
    // The console logs the rejected preview as an error.
    expect(dashboard.pageErrors().every((one) => one.includes('400'))).toBe(true)
  })

  it('shows the time zone data release, the send time and the retries', async () => {
    page = await dashboard.open('settings?tab=time')
    await page
      .getByText(/^tz \d{4}[a-z]$/)
      .last()
      .waitFor()
    await page.getByText('09:00 local time').waitFor()
    expect(await page.locator('main').innerText()).toMatch(/1 s\s*·\s*2 s\s*·\s*4 s/)
  })

  it('lists the audit log, and filters it by action and object', async () => {
    await dashboard.call('POST', '/channel', {
      ...{ kind: 'webhook', name: 'audited', url: `${receiver.url}/audited` },
    })
    page = await dashboard.open('settings?tab=audit')
    const row = page.getByRole('row').filter({ hasText: 'Channel created' }).first()
    await row.getByText('no key').waitFor()
    await page.getByLabel('Action').selectOption('channel.paused')
    await page.getByRole('row').filter({ hasText: 'Channel created' }).first().waitFor({ state: 'detached' })
    await page.getByLabel('Action').selectOption('')
    await row.getByRole('button').click()
    await page.getByRole('row').nth(2).waitFor({ state: 'detached' })
    expect(await page.getByRole('row').count()).toBe(2)
  })
})
