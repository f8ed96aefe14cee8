// Sentences of the dashboard against the state that they describe.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { afternoonZone, birthDateToday } from './support/browser.ts'
import { goTo } from './support/screens.ts'
import { createPerson, useDashboard, useReceiver } from './support/use-dashboard.ts'

const zone = afternoonZone(Date.now())
const TODAY = { timezone: zone, dateOfBirth: birthDateToday(zone, Date.now()), sendTodayNow: true }

const receiver = useReceiver()
// No WEBHOOK_SECRET: requests are not signed.
const dashboard = useDashboard(() => ({ WEBHOOK_URL: receiver.url }))
let page: Page

const statusOf = async (id: string) =>
  (await dashboard.call<{ status: string }>('GET', `/event/${id}`)).status

async function failed(name: string): Promise<string> {
  receiver.rejects = true
  const { user } = await createPerson(dashboard, name, TODAY)
  const { items } = await dashboard.call<{ items: { id: string }[] }>('GET', `/user/${user.id}/event`)
  const eventId = items[0]!.id
  await expect.poll(() => statusOf(eventId)).toBe('FAILED')
  receiver.rejects = false
  return eventId
}

const isDelivered = (id: string) =>
  expect
    .poll(() => dashboard.call('GET', `/event/${id}`))
    .toMatchObject({ replays: [{ status: 'COMPLETED' }] })

describe('the event page', () => {
  it('says that requests of a channel without a secret are not signed', async () => {
    const eventId = await failed('Nia Abara')
    page = await dashboard.open(`event/${eventId}`)
    await page.getByText('Requests to environment are not signed: it has no secret.').waitFor()
    expect(await page.getByText('webhook-signature').count()).toBe(0)
  })
})

describe('the chart of Today', () => {
  it('has no failure that a retry delivered', async () => {
    const eventId = await failed('Nia Duarte')
    await dashboard.call('POST', '/event/replay', {})
    await isDelivered(eventId)
    page = await dashboard.open(`event/${eventId}`)
    await page.getByRole('link', { name: 'Delivered by a retry' }).click()
    await page.getByText('sent', { exact: true }).first().waitFor()
    await page.goto(`${dashboard.url}/app/today`)
    await page.getByText('Failed (24 h)').waitFor()
    await expect.poll(() => page.locator('[data-bar][aria-label*="failed"]').count()).toBe(0)
    expect(await page.locator('[data-bar][aria-label*="sent"]').count()).toBeGreaterThan(0)
  })
})

describe('the failures page', () => {
  it('counts messages past their cut-off time, and skips them unless told otherwise', async () => {
    await failed('Nia Late')
    const { items } = await dashboard.call<{ items: { id: string }[] }>('GET', '/channel')
    page = await dashboard.open('failures')
    // The browser gets a fixed count: test/http/events/replays.test.ts tests how the server counts.
    const parts = {
      now: 31,
      pastCutOff: [{ notAfter: '21:00', count: 5 }],
      inFlight: 0,
      delivered: 2,
      repeated: 0,
    }
    const counted = { matched: 38, replayed: 0, skipped: 0, parts, nextCursor: null }
    const asked: { dryRun?: boolean; pastCutOff?: string }[] = []
    await page.route('**/event/replay', (route) => {
      asked.push(route.request().postDataJSON())
      return route.fulfill({ json: counted })
    })
    await page.getByRole('button', { name: 'Retry…' }).click()
    await page.getByRole('heading', { name: 'Retry 31 of 38 messages?' }).waitFor()
    await page.getByText('31 can be retried now, 5 past 21:00 local time, 2 delivered later.').waitFor()
    await page.getByRole('button', { name: 'Retry 31 now' }).waitFor()
    await page.getByText('Send them too').click()
    await page.getByRole('heading', { name: 'Retry 36 of 38 messages?' }).waitFor()
    await page.getByRole('button', { name: 'Retry 36 now' }).click()
    await expect.poll(() => asked.at(-1)).toMatchObject({ pastCutOff: 'send', channel: items[0]!.id })
    expect(asked[0]).toMatchObject({ dryRun: true, exactReason: 'HTTP 422' })
  })
})

describe('the page Today', () => {
  it('counts the seconds to the next message, whose due time has seconds', async () => {
    page = await dashboard.open('nowhere')
    const today = await dashboard.call<object>('GET', '/today')
    const dueAt = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 73_000).toISOString()
    await page.route('**/today', (route) => route.fulfill({ json: { ...today, next: { dueAt, count: 1 } } }))
    await goTo(page, 'Today')
    const next = page.getByText(`at ${dueAt.slice(11, 19)}Z.`)
    await next.waitFor()
    const first = await next.innerText()
    expect(first).toMatch(/^Next: 1 message in [12] min( \d+ s)?, at /)
    await expect.poll(() => next.innerText()).not.toBe(first)
  })
})

describe('the upcoming page', () => {
  it('counts occasions, not messages, because a weekly one has 52 a year', async () => {
    const { user } = await createPerson(dashboard, 'Nia Eriksen')
    const weekly = { type: 'STAND_UP', date: '2026-01-05', repeats: 'FREQ=WEEKLY', template: 'Hello' }
    await dashboard.call('POST', `/user/${user.id}/occasion`, weekly)
    const { days } = await dashboard.call<{ days: { count: number }[] }>('GET', '/upcoming?days=366')
    const occasions = days.reduce((sum, { count }) => sum + count, 0)
    page = await dashboard.open('upcoming')
    await page.getByText(`${occasions} occasions have their next message in the next year`).waitFor()
    await page
      .getByText('Later messages of an occasion that repeats within the year are not counted')
      .waitFor()
    const { items } = await dashboard.call<{ items: { type: string }[] }>('GET', '/occasion-type')
    await page.goto(`${dashboard.url}/app/messages`)
    const types = page.getByLabel('Type').getByRole('option')
    await expect.poll(() => types.count()).toBe(items.length + 1)
    await page.getByLabel('Type').getByRole('option', { name: 'Stand up' }).waitFor({ state: 'attached' })
  })
})

describe('the settings on a phone', () => {
  it('show the chosen tab', async () => {
    page = await dashboard.open('settings/time', { viewport: { width: 390, height: 844 } })
    const tab = page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Time' })
    await expect
      .poll(async () => (await tab.boundingBox())!.x + (await tab.boundingBox())!.width)
      .toBeLessThan(391)
  })
})
