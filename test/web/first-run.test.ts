// The first minute of a new user on the widest screen, and an outage at a process without retries.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { afternoonZone, birthDateToday, type Dashboard, startDashboard } from './support/browser.ts'
import { describeFirstMinute, type Inbox } from './support/first-minute.ts'
import { SCREENS } from './support/screens.ts'

const zone = afternoonZone(Date.now())

describeFirstMinute(SCREENS.slice(0, 1))

describe('the link to the docs', () => {
  let dashboard: Dashboard
  beforeAll(async () => {
    dashboard = await startDashboard()
  })
  afterAll(() => dashboard?.close())

  it('leads from the sidebar to a page by its task, and back', async () => {
    const page = await dashboard.open()
    await page.getByRole('link', { name: 'Docs', exact: true }).click()
    await page.getByRole('link', { name: 'tutorial' }).click()
    await page.getByRole('heading', { level: 2 }).first().waitFor()
    // The style sheet is one that the content security policy allows.
    expect(await page.evaluate('document.styleSheets.length')).toBe(1)
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await page.getByRole('heading', { name: 'No people yet.' }).waitFor()
    expect(dashboard.pageErrors()).toEqual([])
  })
})

describe('an outage at a process without retries', () => {
  let late: Dashboard
  beforeAll(async () => {
    // With retries a message waits for the end of the outage, and nothing fails.
    late = await startDashboard({ RETRY: 'none' })
  })
  afterAll(() => late?.close())

  it('shows the failed message, and one click restores the inbox and delivers it once', async () => {
    const inbox = await late.open('inbox', { timezoneId: zone })
    await inbox.getByText('Return 503').click()
    await inbox.getByRole('heading', { name: 'Simulated outage' }).waitFor()
    const person = { firstName: 'Robin', lastName: 'Walker', timezone: zone, sendTodayNow: true }
    await late.call('POST', '/user', { ...person, dateOfBirth: birthDateToday(zone, Date.now()) })
    const failed = inbox.getByRole('list', { name: 'Failed messages' })
    await failed.getByText(/failed after 1 attempt\. Nothing is lost/).waitFor()
    await inbox.getByRole('button', { name: 'Restore and retry 1' }).click()
    await inbox.getByRole('button', { name: /Hey, Robin Walker/ }).waitFor()
    await inbox.getByText('1 rejected, 1 accepted, one message').waitFor()
    await failed.waitFor({ state: 'detached' })
    const { items } = await late.call<Inbox>('GET', '/inbox')
    expect(items).toMatchObject([{ timesReceived: 1, timesRejected: 1 }])
    expect(late.pageErrors()).toEqual([])
  })
})
