// Messages on the real product: Today, Failures, Messages, the event page and Upcoming.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { afternoonZone, birthDateToday } from './support/browser.ts'
import { follow } from './support/screens.ts'
import {
  type Created,
  createPerson,
  type Person,
  useDashboard,
  useReceiver,
} from './support/use-dashboard.ts'

let page: Page
let ada: Person
let crm: string
let raden: Created['nextBirthdayEvent']

const receiver = useReceiver()
const dashboard = useDashboard({}, async () => {
  ada = (await createPerson(dashboard, 'Ada Lovelace', { timezone: 'America/Vancouver' })).user
  const webhook = { kind: 'webhook', name: 'crm', url: receiver.url }
  crm = (await dashboard.call<{ channel: { id: string } }>('POST', '/channel', webhook)).channel.id
  raden = (await createPerson(dashboard, 'Raden Kartini', { timezone: 'Asia/Jakarta' })).nextBirthdayEvent
})

describe('the today page', () => {
  it('names the cities where 09:00 has just passed, and shows a delivery as it happens', async () => {
    page = await dashboard.open('today')
    await page.getByRole('heading', { name: /^09:00 has just passed in / }).waitFor()
    await page.getByRole('img', { name: /Circles mark 2 time zones with people/ }).waitFor()
    const zone = afternoonZone(Date.now())
    const today = { timezone: zone, dateOfBirth: birthDateToday(zone, Date.now()), sendTodayNow: true }
    await createPerson(dashboard, 'Grace Hopper', today)
    const row = page.getByRole('link', { name: /sent.*Grace Hopper/ })
    await row.waitFor()
    expect(await row.innerText()).toMatch(/1[56]:\d\d .*\d\d:\d\dZ/s)
  })
})

/** An element as far as it is read here: the types of the DOM are not those of Node. */
type Shown = {
  ownerDocument: { defaultView: { getComputedStyle(shown: Shown): { color: string } } }
}

/** Sends Ada a message by the channel `crm`. */
function sendToday(type = 'NAME_DAY') {
  // Passed today, and hours away from now, so that the message of tomorrow does not follow within the test.
  const hourThere = (new Date().getUTCHours() + 17) % 24
  const localTime = hourThere >= 14 ? '12:00' : '00:00'
  const occasion = { type, date: '2020-01-01', repeats: 'FREQ=DAILY', localTime }
  const more = { template: 'Hello, {{ firstName }}', channel: crm, sendTodayNow: true }
  return dashboard.call<{ next: { eventId: string } }>('POST', `/user/${ada.id}/occasion`, {
    ...occasion,
    ...more,
  })
}

describe('the failures page', () => {
  it('groups failed messages, explains one, and retries it with the same key', async () => {
    receiver.rejects = true
    await sendToday()
    page = await dashboard.open('failures')
    await page.getByText('The receiver rejected the message').waitFor()
    receiver.rejects = false
    await page.getByRole('button', { name: 'Show' }).click()
    await page
      .getByRole('listitem')
      .filter({ hasText: /^4\d\d\s*rejected by the test$/ })
      .waitFor()
    await page.getByRole('link', { name: /Ada Lovelace/ }).click()
    await page.getByText(/UTC offset \(tz \d{4}[a-z]\)/).waitFor()
    await page.getByText('rejected by the test').waitFor()
    await page.getByText(`POST ${receiver.url}`).first().waitFor()
    const colourOf = (text: string) =>
      page
        .getByText(text, { exact: true })
        .first()
        .evaluate((shown: Shown) => shown.ownerDocument.defaultView.getComputedStyle(shown).color)
    const colour = await colourOf('failed')
    expect(colour).toMatch(/\d/)
    expect(await colourOf('FAILED')).toBe(colour)
    await page.getByText('recognises the duplicate and ignores it').waitFor()
    const key = /event-[0-9a-f]{32}/.exec(await page.locator('main').innerText())![0]
    await page.getByRole('link', { name: 'Failures' }).first().click()
    await page.getByRole('button', { name: 'Retry…' }).click()
    await page.getByRole('heading', { name: 'Retry 1 message?' }).waitFor()
    await page.getByText('1 can be retried now.').waitFor()
    await page.getByRole('button', { name: 'Retry 1 now' }).click()
    await expect.poll(() => receiver.keys).toEqual([key])
    await page.getByText('1 delivered since').waitFor()
    expect(await page.getByRole('button', { name: 'Retry…' }).count()).toBe(0)
    await page.getByText('failed in the last 24 hours').first().waitFor({ state: 'detached' })
  })

  it('dismisses a group of failures, with undo', async () => {
    receiver.rejects = true
    await sendToday('DISMISSED_DAY')
    page = await dashboard.open('failures')
    const group = page.getByRole('listitem').filter({ hasText: 'The receiver rejected the message' })
    const dismiss = group.getByRole('button', { name: 'Dismiss' })
    const badge = page.getByText('failed in the last 24 hours').first()
    await badge.waitFor({ state: 'attached' })
    // The list is read apart from the badge: it may still show the group of the test before, without the new failure.
    await group.getByRole('button', { name: 'Retry…' }).waitFor()
    await dismiss.click()
    await page.getByText('No failures.').waitFor()
    await badge.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await badge.waitFor({ state: 'attached' })
    receiver.rejects = false
  })
})

describe('the messages page', () => {
  const list = () => page.getByRole('list', { name: 'Messages' })
  const row = (name: RegExp) => list().getByRole('link', { name })

  it('has five filters, keeps them in the URL, and shows new messages live', async () => {
    page = await dashboard.open('nowhere')
    const people: string[] = []
    page.on('request', (request) => /\/user\//.test(request.url()) && people.push(request.url()))
    await page.goto(`${dashboard.url}/app/messages`)
    await row(/sent.*Grace Hopper/).waitFor()
    // The names are in the list: no request for each person.
    expect(people).toEqual([])
    await page.getByLabel('State').selectOption('Failed')
    await page.waitForURL(/messages\?state=failed$/)
    await row(/sent.*Grace Hopper/).waitFor({ state: 'detached' })
    receiver.rejects = true
    await sendToday('MOON_DAY')
    await row(/failed.*Ada Lovelace.*Moon day/).waitFor()
    await page.getByLabel('Type').selectOption('MOON_DAY')
    await page.waitForURL(/type=MOON_DAY/)
    await page.reload()
    await expect
      .poll(() => list().getByRole('listitem').allTextContents())
      .toEqual([expect.stringMatching(/Moon day/)])
    await page.goto(`${dashboard.url}/app/messages`)
    await page.getByLabel('Channel').selectOption('inbox')
    await page.waitForURL(/channel=[0-9a-f-]{36}/)
    await expect
      .poll(() => list().getByRole('listitem').allTextContents())
      .toEqual([expect.stringMatching(/Grace Hopper/)])
    await page.goto(`${dashboard.url}/app/messages?period=yesterday`)
    await page.getByText('No matches.').waitFor()
    await page.getByLabel('Period').selectOption('Last 24 hours')
    await page.keyboard.type('/grace')
    await page.getByRole('option', { name: /Grace Hopper/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/person=[0-9a-f-]{36}&period=last-24h$|period=last-24h&person=[0-9a-f-]{36}$/)
    await row(/failed.*Ada Lovelace.*Moon day/).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Person Grace Hopper: remove' }).click()
    await row(/failed.*Ada Lovelace.*Moon day/).waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.waitForURL(/messages$/)
  })

  it('retries the failed ones of the selected messages, once it has counted them', async () => {
    receiver.rejects = true
    await sendToday('STAR_DAY')
    page = await dashboard.open('messages')
    await row(/failed.*Star day/).waitFor()
    receiver.rejects = false
    receiver.keys = []
    await page.keyboard.type('jx')
    await page.getByText('1 message selected, 1 failed').waitFor()
    await page.getByLabel(/^Select Grace Hopper/).check()
    await page.getByText('2 messages selected, 1 failed').waitFor()
    await page.getByRole('button', { name: 'Retry selected…' }).click()
    await page.getByRole('heading', { name: 'Retry 1 message?' }).waitFor()
    await page.getByText('1 can be retried now.').waitFor()
    await page.getByRole('button', { name: 'Retry 1 now' }).click()
    await expect.poll(() => receiver.keys.length).toBe(1)
    await row(/sent.*Ada Lovelace.*Star day/).waitFor()
    await page.goto(`${dashboard.url}/app/messages?state=unresolved&type=MOON_DAY`)
    await page.getByRole('button', { name: 'Retry all that match…' }).click()
    await page.getByRole('button', { name: 'Retry 1 now' }).click()
    await page.getByText('No matches.').waitFor()
    await expect.poll(() => receiver.keys.length).toBe(2)
  })

  it('lists exactly the messages that a figure on Today counts', async () => {
    page = await dashboard.open('today')
    const open = async (label: string) => {
      const link = page.getByRole('link', { name: `${label}: show list` })
      const figure = await link.locator('..').innerText()
      await link.click()
      await page.getByRole('heading', { name: 'Messages' }).waitFor()
      await list().or(page.getByText('No matches.')).waitFor()
      const rows = await list().getByRole('listitem').count()
      await page.goBack()
      return { figure, rows: String(rows) }
    }
    // The server caches its figures for some seconds.
    for (const label of ['Sent (24 h)', 'In progress', 'Failed (24 h)', 'Possible duplicates'])
      await expect
        .poll(() => open(label), { timeout: 90_000 })
        .toSatisfy(({ figure, rows }) => figure === rows, `${label} equals the rows of its list`)
    await open('p95 delay')
    await page
      .getByRole('link', { name: /UTC.*sent/ })
      .first()
      .press('Enter')
    await page.waitForURL(/messages\?period=\d{4}-\d\d-\d\dT\d\d%3A\d\dZ/)
    await list().waitFor()
  })
})

describe('the upcoming page', () => {
  it('shows a year by local date with its busiest minute, and creates a calendar feed', async () => {
    page = await dashboard.open('upcoming')
    await page.getByText(/The busiest minute is/).waitFor()
    await page.locator(`[data-date="${raden.targetTimestampLocal.slice(0, 10)}"]`).click()
    await page.getByRole('link', { name: /Raden Kartini/ }).waitFor()
    await page.getByRole('button', { name: 'New calendar link' }).click()
    const address = await page.getByText('/calendar/').innerText()
    expect(await (await fetch(address)).text()).toContain('BEGIN:VCALENDAR')
  })
})

describe('a held channel', () => {
  it('is named on every page, until it is released there', async () => {
    Object.assign(receiver, { rejects: true, status: 401 })
    const { next } = await sendToday('SAINT_DAY')
    page = await dashboard.open('today')
    const notice = page.getByRole('list', { name: 'Stopped channels' }).getByRole('listitem')
    const text = 'Channel crm is held: HTTP 401. 1 message waits until it is released.'
    const withEvents = [
      'today',
      'people',
      'messages',
      `event/${next.eventId}`,
      'failures',
      'upcoming',
      'inbox',
    ]
    for (const path of [...withEvents, 'ledger', 'settings', 'nowhere']) {
      await follow(page, path)
      await notice.filter({ hasText: text }).waitFor()
      await notice.getByRole('link', { name: 'Channel', exact: true }).waitFor()
    }
    await page.goto(`${dashboard.url}/app/people/${ada.id}`)
    const panel = page.getByRole('complementary', { name: 'Person' })
    await panel.getByText(text).waitFor()
    receiver.rejects = false
    await panel.getByRole('button', { name: 'Release' }).click()
    await notice.first().waitFor({ state: 'detached' })
    await page.goto(`${dashboard.url}/app/event/${next.eventId}`)
    await page.getByText('sent', { exact: true }).first().waitFor()
  })
})

describe('a hold of all messages', () => {
  it('lets them wait until they are released on the page Today', async () => {
    await dashboard.call('POST', `/channel/${crm}/hold`)
    page = await dashboard.open('today')
    const release = page.getByRole('button', { name: 'Release all' })
    await release.waitFor()
    const hold = page.getByRole('button', { name: 'Hold messages…' })
    await hold.click()
    await page.getByLabel('For').selectOption('2 hours')
    await page.getByRole('button', { name: 'Hold all messages' }).click()
    const notice = page.getByRole('list', { name: 'Stopped channels' }).getByRole('listitem')
    await notice
      .filter({ hasText: /Channel crm is held until .*Z\. Its messages wait until then\./ })
      .waitFor()
    await hold.waitFor({ state: 'detached' })
    // Workers follow a hold within a second.
    await page.waitForTimeout(1_500)
    const { next } = await sendToday('HELD_DAY')
    await notice.filter({ hasText: '1 message waits until then.' }).waitFor()
    const messages = await dashboard.open('messages')
    await messages.getByRole('link', { name: /waiting.*Ada Lovelace/ }).waitFor()
    await messages.getByText('crm is held').first().waitFor()
    await messages.context().close()
    await release.click()
    await notice.first().waitFor({ state: 'detached' })
    await page.goto(`${dashboard.url}/app/event/${next.eventId}`)
    await page.getByText('sent', { exact: true }).first().waitFor()
  })
})
