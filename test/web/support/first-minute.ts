// The first minute of a new user, from an empty database to a retried message, on several screens at once.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { afternoonZone, birthDateToday, type Dashboard, startDashboard } from './browser.ts'
import { goTo, onEvery, type Screen } from './screens.ts'

export type Inbox = { items: { message: string; timesReceived: number; timesRejected: number }[] }

type Walk = { name: string; dashboard: Dashboard; page: Page }

const noticeOn = (page: Page) => page.getByRole('list', { name: 'Stopped channels' })

export function describeFirstMinute(screens: readonly Screen[]): void {
  const zone = afternoonZone(Date.now())

  describe(`the first minute on a screen of ${screens.map(({ name }) => name).join('; ')}`, () => {
    let walks: Walk[] = []

    beforeAll(async () => {
      walks = await Promise.all(
        screens.map(async ({ name, options }) => {
          // The default retries end after a few seconds: too short to be observed.
          const dashboard = await startDashboard({ RETRY: '20x1s' })
          return { name, dashboard, page: await dashboard.open('', { ...options, timezoneId: zone }) }
        }),
      )
    })
    afterAll(() => Promise.all(walks.map(({ dashboard }) => dashboard.close())))

    it('starts with an empty database and an offer to load demo people', () =>
      onEvery(walks, async ({ page }) => {
        await page.getByRole('heading', { name: 'No people yet.' }).waitFor()
      }))

    it('loads 24 demo people with one click, marked as demo', () =>
      onEvery(walks, async ({ page }) => {
        await page.getByRole('button', { name: 'Load 24 demo people' }).click()
        await page.getByText('Demo data is loaded.').waitFor()
        // The first message is due after 20 seconds; a slow machine shows those after it, which may be due in several places.
        await page.getByText(/^Next: .+ in .+ in \d+ .+, at \d\d:\d\d(:\d\d)?Z\.$/).waitFor()
        await page.getByRole('link', { name: 'People: show list' }).click()
        await page.getByRole('cell', { name: 'Ada Lovelace demo' }).waitFor()
        await page.getByText('24 people. Messages of new people go out at 09:00 local time.').waitFor()
      }))

    it('shows the first message in the inbox without a reload, with a valid signature', () =>
      onEvery(walks, async ({ page }) => {
        await goTo(page, 'Inbox')
        await page.getByRole('button', { name: /Hey, Ada Lovelace/ }).click()
        await page.getByText('Signature', { exact: true }).click()
        await page.getByText('✓ Verified: signed by Terce').waitFor()
      }))

    it('sends a birthday message during a simulated outage, though 09:00 has passed', () =>
      onEvery(walks, async ({ page }) => {
        await page.getByText('Return 503').click()
        await page.getByRole('heading', { name: 'Simulated outage' }).waitFor()
        await goTo(page, 'People')
        await page.getByRole('button', { name: 'Add person' }).click()
        await page.getByLabel('First name').fill('Robin')
        await page.getByLabel('Last name').fill('Walker')
        expect(await page.getByLabel('Time zone', { exact: true }).last().inputValue()).toBe(zone)
        await page.getByLabel('Date of birth').fill(birthDateToday(zone, Date.now()))
        await page.getByText('Send today’s now').click()
        await page.getByRole('button', { name: 'Add', exact: true }).click()
        await page.getByText('Robin added.').waitFor()
      }))

    it('shows the retries as they happen', () =>
      onEvery(walks, async ({ page }) => {
        await page.getByRole('button', { name: 'Close' }).click()
        await goTo(page, 'Inbox')
        const tried = page.getByRole('list', { name: 'Pending deliveries' })
        await tried.getByText('Robin Walker').waitFor()
        await tried.getByText(/[2-9] attempts, same key/).waitFor()
        // After several failures the circuit breaker opens, and waiting uses up no attempts.
        await tried
          .getByText(/\d attempts? left, the last in \d+ s at the earliest|does not use up attempts/)
          .waitFor()
        await noticeOn(page)
          .getByText(/^Channel inbox has been down since .*\d\d:\d\dZ \(HTTP 503\)\. .* next try/)
          .waitFor()
        expect(await noticeOn(page).getByRole('button').count()).toBe(0)
      }))

    it('delivers exactly one message after the outage', () =>
      onEvery(walks, async ({ page, dashboard }) => {
        await page.getByRole('button', { name: 'Restore' }).click()
        await page.getByRole('button', { name: /Hey, Robin Walker/ }).waitFor({ timeout: 30_000 })
        await page.getByText(/[1-9]\d* rejected, 1 accepted, one message/).waitFor()
        await noticeOn(page).waitFor({ state: 'detached' })
        const { items } = await dashboard.call<Inbox>('GET', '/inbox')
        const robins = items.filter(({ message }) => message.includes('Robin'))
        expect(robins).toMatchObject([{ timesReceived: 1 }])
        expect(robins[0]!.timesRejected).toBeGreaterThan(1)
      }))

    it('removes the demo people with one click', () =>
      onEvery(walks, async ({ page, dashboard }) => {
        await goTo(page, 'Today')
        await page.getByRole('button', { name: 'Remove demo people' }).click()
        await page.getByText('Demo people removed.').waitFor()
        expect((await dashboard.call<{ items: unknown[] }>('GET', '/user')).items).toHaveLength(1)
        expect(dashboard.pageErrors()).toEqual([])
      }))
  })
}
