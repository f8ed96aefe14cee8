// Behaviour of all pages: empty and error states, keyboard, live updates, theme, sign-in.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import { makePerson } from '../support/fixtures.ts'
import { follow } from './support/screens.ts'
import { type Created, createPerson, useDashboard } from './support/use-dashboard.ts'

const EMPTY = {
  today: 'No people yet.',
  people: 'No people yet.',
  messages: 'No messages in the last 30 days.',
  failures: 'No failures.',
  upcoming: 'No messages in the next year.',
  inbox: 'No messages yet.',
  settings: 'Keeps messages in memory, for development.',
  'settings/keys': 'No API keys yet.',
  nowhere: 'Page not found.',
}

const dashboard = useDashboard()
let page: Page
let ada: Created

describe('with an empty database', () => {
  it('every page shows its empty state', async () => {
    page = await dashboard.open()
    for (const [path, words] of Object.entries(EMPTY)) {
      await follow(page, path)
      await page.getByText(words).waitFor()
    }
  })

  it('the inbox page says so on a server without an inbox', async () => {
    page = await dashboard.open('nowhere')
    const session = await dashboard.call<object>('GET', '/session')
    await page.route('**/session', (route) => route.fulfill({ json: { ...session, inbox: false } }))
    await page.goto(`${dashboard.url}/app/inbox`)
    await page.getByText('No inbox on this server.').waitFor()
    expect(await page.getByRole('link', { name: 'Inbox' }).count()).toBe(0)
  })
})

describe('when the server fails', () => {
  it('a page shows the error with a retry, and recovers by itself', async () => {
    page = await dashboard.open('nowhere')
    const broken = { status: 503, json: { code: 'NOT_READY', detail: 'The database sleeps.' } }
    await page.route(`${dashboard.url}/today`, (route) => route.fulfill(broken))
    // A full load: within the app, the data of an earlier page would still be shown.
    await page.goto(`${dashboard.url}/app/today`)
    await page.getByRole('alert').getByText('The database sleeps.').waitFor()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await page.unroute(`${dashboard.url}/today`)
    await page.getByRole('heading', { name: /has just passed in/ }).waitFor()
    expect(dashboard.pageErrors().every((one) => one.includes('503'))).toBe(true)
  })
})

describe('an address that cannot be shown', () => {
  it('leaves the navigation in place', async () => {
    page = await dashboard.open('nowhere')
    const shown = {
      'people/%E0%A4%A': 'Page not found.',
      'people/..%2Fkey': 'Person not found.',
      'upcoming?day=foo': 'No messages in the next year.',
    }
    for (const [path, words] of Object.entries(shown)) {
      await page.goto(`${dashboard.url}/app/${path}`)
      await page.getByText(words).waitFor()
      await page.getByRole('link', { name: 'Today' }).first().waitFor()
    }
    expect(dashboard.pageErrors().every((one) => one.includes('404'))).toBe(true)
  })

  it('is not requested again when the event does not exist', async () => {
    const id = '00000000-0000-4000-8000-000000000000'
    page = await dashboard.open('nowhere')
    const asked: string[] = []
    page.on('request', (request) => request.url().endsWith(`/event/${id}`) && asked.push(request.method()))
    await page.goto(`${dashboard.url}/app/event/${id}`)
    await page.getByText('Event not found.').waitFor()
    for (let poll = 0; poll < 3; poll++) await page.waitForResponse(`${dashboard.url}/today`)
    // The document itself has this address too.
    expect(asked.length).toBeLessThanOrEqual(2)
    dashboard.pageErrors()
  })

  it('shows the error and a reload when the code of a page cannot be loaded', async () => {
    page = await dashboard.open('today')
    await page.getByRole('heading', { name: 'No people yet.' }).waitFor()
    await page.route('**/assets/failures-*.js', (route) => route.abort())
    await page.getByRole('link', { name: 'Failures' }).first().click()
    await page.getByText('This page failed to load.').waitFor()
    await page.getByRole('link', { name: 'People' }).first().click()
    await page.getByRole('button', { name: 'Add person' }).waitFor()
    await page.goBack()
    await page.unroute('**/assets/failures-*.js')
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByText('No failures.').waitFor()
    dashboard.pageErrors()
  })
})

describe('with people', () => {
  beforeAll(async () => {
    await createPerson(dashboard, 'Zoe Zimmer')
    ada = await createPerson(dashboard, 'Ada Lovelace')
  })

  describe('the keyboard', () => {
    it('finds a page, a person and a message with Ctrl+K', async () => {
      page = await dashboard.open('today')
      await page.getByRole('heading', { name: /has just passed in/ }).waitFor()
      const find = async (text: string, option: RegExp) => {
        await page.keyboard.press('Control+k')
        await page.getByRole('dialog', { name: 'Search' }).waitFor()
        await page.keyboard.type(text)
        await page.getByRole('option', { name: option }).waitFor()
      }
      await find('ledg', /^Ledger/)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Ledger', exact: true }).waitFor()
      await find('lovelace', /^Ada Lovelace: Birthday, /)
      await page.keyboard.press('Enter')
      await page.waitForURL(`**/app/people/${ada.user.id}`)
      await find('lovelace', /^Ada Lovelace: Birthday, /)
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: /^Ada Lovelace: Birthday, / }).waitFor()
      const { id } = ada.nextBirthdayEvent
      const { idempotencyKey } = await dashboard.call<{ idempotencyKey: string }>('GET', `/event/${id}`)
      for (const text of [id.toUpperCase(), idempotencyKey]) {
        await find(text, /^Ada Lovelace: Birthday, /)
        await page.keyboard.press('Escape')
      }
      await find('send time', /^Settings: time/)
      await page.keyboard.type(' of nobody')
      await page.getByText('Nothing found.').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog', { name: 'Search' }).waitFor({ state: 'detached' })
    })

    it('opens pages, searches, moves through rows, and opens and closes one', async () => {
      page = await dashboard.open('today')
      await page.getByRole('heading', { name: /has just passed in/ }).waitFor()
      await page.keyboard.type('gp')
      await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
      await page.keyboard.type('jj')
      expect(await page.locator(':focus').innerText()).toBe('Zoe Zimmer')
      await page.keyboard.type('k')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor()
      await page.keyboard.type('j')
      await page.getByRole('heading', { name: 'Zoe Zimmer' }).waitFor()
      await page.keyboard.type('k')
      await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor({ state: 'detached' })
      expect(await page.locator(':focus').innerText()).toBe('Ada Lovelace')
      await page.keyboard.type('/zo')
      await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor({ state: 'detached' })
      await page.locator('main').focus()
      await page.keyboard.type('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
      await page.keyboard.press('Escape')
      await page.keyboard.type('gu')
      await page.getByRole('heading', { name: 'Upcoming' }).waitFor()
    })
  })

  describe('a menu', () => {
    it('closes on Escape and leaves the panel beside it open', async () => {
      page = await dashboard.open(`people/${ada.user.id}`)
      await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor()
      await page.getByText('Bulk actions').focus()
      await page.keyboard.press('Enter')
      const item = page.getByRole('button', { name: 'Pause occasions…' })
      await item.waitFor()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Escape')
      await item.waitFor({ state: 'hidden' })
      expect(await page.locator(':focus').innerText()).toContain('Bulk actions')
      expect(await page.getByRole('heading', { name: 'Ada Lovelace' }).count()).toBe(1)
    })
  })

  describe('an open page', () => {
    it('shows changes by another process, but none while its tab is hidden', async () => {
      page = await dashboard.open('people')
      await page.getByText('live', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
      const show = (state: 'hidden' | 'visible') =>
        page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
          dispatchEvent(new Event('visibilitychange'))`)
      await show('hidden')
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      const elsewhere = openSqliteStore(dashboard.database)
      await elsewhere.createUsers([makePerson({ firstName: 'From', lastName: 'Elsewhere' })])
      await elsewhere.close()
      // By then a visible page would have asked at least once.
      await page.getByText('server is slow').waitFor()
      expect(asked).toEqual([])
      await show('visible')
      await page.getByRole('link', { name: 'From Elsewhere' }).waitFor()
      await page.getByText('live', { exact: true }).waitFor()
    })
  })

  describe('without a server', () => {
    it('a page says that it is offline and dims its data, until the server responds again', async () => {
      page = await dashboard.open('people')
      await page.getByText('live', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
      await page.route('**/*', (route) => route.abort())
      await page.getByText('offline, retrying…').waitFor()
      await page.getByText(/Offline, retrying\. This page shows the state of \d\d:\d\d:\d\d/).waitFor()
      // A response to an earlier request may still arrive, and end the offline state for one poll.
      await expect.poll(opacityOfTable, { timeout: 10_000 }).toBeLessThan(1)
      await page.unroute('**/*')
      await page.getByText('live', { exact: true }).waitFor()
      await page.getByText('Offline, retrying.').waitFor({ state: 'detached' })
      expect(await opacityOfTable()).toBe(1)
      dashboard.pageErrors()
    })
  })

  describe('on a phone', () => {
    it('the links that do not fit the bar are behind More', async () => {
      page = await dashboard.open('today', { viewport: { width: 390, height: 700 }, hasTouch: true })
      await page.getByRole('button', { name: 'More' }).tap()
      await page.getByRole('dialog').getByRole('link', { name: 'Ledger' }).tap()
      await page.getByText('No closed day yet.').waitFor()
    })
  })

  describe('the theme', () => {
    it('survives a reload once it is chosen', async () => {
      page = await dashboard.open('today', { colorScheme: 'light' })
      await page.getByRole('button', { name: /Switch to light/ }).click()
      await page.getByRole('button', { name: /Switch to dark/ }).click()
      await page.reload()
      await page.getByRole('button', { name: /Theme: dark/ }).waitFor()
      expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    })
  })
})

/** The product of the opacities of the table and its ancestors. */
function opacityOfTable(): Promise<number> {
  return page.evaluate(`(() => {
    let opacity = 1
    for (let at = document.querySelector('table'); at !== null; at = at.parentElement)
      opacity *= Number(getComputedStyle(at).opacity)
    return opacity
  })()`)
}

// Last: once a key exists, every request needs one.
describe('after the first API key is created', () => {
  it('this browser is signed in, and needs the key after it signs out, here or everywhere', async () => {
    page = await dashboard.open('settings/keys')
    await page.getByLabel('Name').fill('me')
    await page.getByRole('button', { name: 'Create key' }).click()
    const key = await page.getByText(/^terce_/).innerText()
    await page.getByText('this browser is signed in with it').waitFor()
    // The page refreshes itself, and still shows the key.
    await page.waitForResponse(`${dashboard.url}/today`)
    await page.waitForResponse(`${dashboard.url}/today`)
    expect(await page.getByText(key).count()).toBe(1)
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('me', { exact: true }).waitFor()

    await page.getByLabel('Name').fill('office')
    await page.getByLabel('Allowed addresses').fill('192.0.2.7, nowhere')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByText('"nowhere": Must be an address, or a range such as 10.0.0.0/8.').waitFor()
    await page.getByLabel('Allowed addresses').fill('192.0.2.7, 10.0.0.0/8')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText(/only from 192\.0\.2\.7, 10\.0\.0\.0\/8/).waitFor()
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByLabel('API key').fill('terce_wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Invalid or revoked key.').waitFor()
    await page.getByLabel('API key').fill(key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByLabel('API key').waitFor()
    // The browser logs the rejected requests.
    expect(dashboard.pageErrors().every((one) => /40[01]/.test(one))).toBe(true)
  })
})
