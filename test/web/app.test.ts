// How the dashboard behaves wherever one is: by keyboard, on a phone, with nothing there, with nothing working.
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import { makePerson } from '../support/fixtures.ts'
import { type Dashboard, startDashboard } from './support/browser.ts'

const PAGES = [
  'today',
  'people',
  'failures',
  'upcoming',
  'machine',
  'inbox',
  'settings',
  'settings?tab=templates',
]

const EMPTY = {
  today: 'No people yet.',
  people: 'No people yet.',
  failures: 'No failures.',
  upcoming: 'Select a day to see its messages.',
  inbox: 'No messages yet.',
  settings: 'No channels yet.',
  'settings?tab=keys': 'No API keys yet.',
  nowhere: 'Page not found.',
}

type Created = { user: { id: string }; nextBirthdayEvent: { id: string } }

let dashboard: Dashboard
let page: Page
let ada: Created

beforeAll(async () => {
  dashboard = await startDashboard()
})
afterAll(() => dashboard?.close())
afterEach(() => page?.context().close())

describe('with nothing there', () => {
  it('says so on every page, and what to do', async () => {
    page = await dashboard.open()
    for (const [path, words] of Object.entries(EMPTY)) {
      await page.goto(`${dashboard.url}/app/${path}`)
      await page.getByText(words).waitFor()
    }
    expect(dashboard.complaints()).toEqual([])
  })

  it('has no inbox on a server that sends to a real address', async () => {
    page = await dashboard.open('nowhere')
    const session = await dashboard.call<object>('GET', '/session')
    await page.route('**/session', (route) => route.fulfill({ json: { ...session, inbox: false } }))
    await page.goto(`${dashboard.url}/app/inbox`)
    await page.getByText('No inbox on this server.').waitFor()
    expect(await page.getByRole('link', { name: 'Inbox' }).count()).toBe(0)
    expect(dashboard.complaints()).toEqual([])
  })
})

describe('with nothing working', () => {
  it('says what is wrong, offers to try again, and shows the page as soon as it works', async () => {
    page = await dashboard.open('nowhere')
    const broken = { status: 503, json: { code: 'NOT_READY', detail: 'The database sleeps.' } }
    await page.route(`${dashboard.url}/today`, (route) => route.fulfill(broken))
    // From the start: every page asks for it, and what came before is shown all the same.
    await page.goto(`${dashboard.url}/app/today`)
    await page.getByRole('alert').getByText('The database sleeps.').waitFor()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await page.unroute(`${dashboard.url}/today`)
    await page.getByRole('heading', { name: /has just passed in/ }).waitFor()
    expect(dashboard.complaints().every((one) => one.includes('503'))).toBe(true)
  })
})

describe('with people', () => {
  beforeAll(async () => {
    const person = { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1990-12-15' }
    ada = await dashboard.call<Created>('POST', '/user', { ...person, timezone: 'America/Vancouver' })
    const other = { firstName: 'Zoe', lastName: 'Zimmer', dateOfBirth: '1980-01-02', timezone: 'UTC' }
    await dashboard.call('POST', '/user', other)
  })

  describe('by keyboard', () => {
    it('goes to pages, searches, moves through rows, opens one and closes it', async () => {
      page = await dashboard.open('today')
      await page.getByRole('heading', { name: /has just passed in/ }).waitFor()
      await page.keyboard.type('gp')
      await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
      await page.keyboard.type('jj')
      expect(await page.locator(':focus').innerText()).toBe('Zoe Zimmer')
      await page.keyboard.type('k')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor({ state: 'detached' })
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

  describe('without a live line', () => {
    it('asks every two seconds instead', async () => {
      page = await dashboard.open('nowhere')
      await page.route('**/live', (route) => route.abort())
      await page.reload()
      await page.getByText('updating every 2 s').waitFor()
      await page.getByRole('link', { name: 'People' }).first().click()
      await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
      const late = { firstName: 'Late', lastName: 'Comer', dateOfBirth: '1980-01-02', timezone: 'UTC' }
      await dashboard.call('POST', '/user', late)
      await page.getByRole('link', { name: 'Late Comer' }).waitFor()
      dashboard.complaints()
    })
  })

  describe('with a live line', () => {
    it('also shows what another process did', async () => {
      page = await dashboard.open('people')
      await page.getByText('live', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
      const elsewhere = openSqliteStore(dashboard.database)
      await elsewhere.createUsers([makePerson({ firstName: 'From', lastName: 'Elsewhere' })])
      await elsewhere.close()
      await page.getByRole('link', { name: 'From Elsewhere' }).waitFor()
    })
  })

  describe('on a phone', () => {
    it('fits the width of every page, and has every page within reach', async () => {
      page = await dashboard.open('today', { viewport: { width: 375, height: 700 }, hasTouch: true })
      const visit = [...PAGES, `people/${ada.user.id}`, `event/${ada.nextBirthdayEvent.id}`]
      for (const path of visit) {
        await page.goto(`${dashboard.url}/app/${path}`)
        await page.locator('main h1, aside h2').first().waitFor()
        expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, 375])
      }
      await page.goto(`${dashboard.url}/app/today`)
      await page.getByRole('button', { name: 'More' }).tap()
      await page.getByRole('dialog').getByRole('link', { name: 'Time machine' }).tap()
      await page.getByRole('slider', { name: 'Preview date' }).waitFor()
      expect(dashboard.complaints()).toEqual([])
    })
  })

  describe('for everybody', () => {
    it('is free of serious faults that axe knows, by day and by night', async () => {
      page = await dashboard.open('today', { colorScheme: 'light', reducedMotion: 'reduce' })
      const found: string[] = []
      for (const path of [...PAGES, `people/${ada.user.id}`, `event/${ada.nextBirthdayEvent.id}`]) {
        await page.goto(`${dashboard.url}/app/${path}`)
        await page.locator('main h1, aside h2').first().waitFor()
        await page.getByRole('status').first().waitFor({ state: 'detached' })
        await page.evaluate(axe.source)
        found.push(...(await seriousFaults(path, ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'])))
        // By night only the contrast differs.
        await page.evaluate("document.documentElement.dataset.theme = 'dark'")
        found.push(...(await seriousFaults(`${path} by night`, ['color-contrast'])))
      }
      expect(found).toEqual([])
    })

    async function seriousFaults(where: string, rules: string[]): Promise<string[]> {
      const options = JSON.stringify({ runOnly: rules, resultTypes: ['violations'] })
      const { violations } = (await page.evaluate(`axe.run(${options})`)) as axe.AxeResults
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
      return serious.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${where}: ${id}: ${html}`))
    }

    it('keeps the theme that was chosen', async () => {
      page = await dashboard.open('today', { colorScheme: 'light' })
      await page.getByRole('button', { name: /Switch to light/ }).click()
      await page.getByRole('button', { name: /Switch to dark/ }).click()
      await page.reload()
      await page.getByRole('button', { name: /Theme: dark/ }).waitFor()
      expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    })
  })
})

// Last: from the first key on, everybody needs one.
describe('with a first key', () => {
  it('asks for it, and lets in whoever has it', async () => {
    page = await dashboard.open('settings?tab=keys')
    await page.getByLabel('Name').fill('me')
    await page.getByRole('button', { name: 'Create key' }).click()
    const key = await page.getByText(/^terce_/).innerText()
    await page.getByRole('button', { name: 'Continue to sign-in' }).click()
    await page.getByLabel('API key').fill('terce_wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('This key is not in force.').waitFor()
    await page.getByLabel('API key').fill(key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('me', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('API key').waitFor()
  })
})
