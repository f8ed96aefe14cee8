// Every page on every screen: it fits the width, and axe finds nothing.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Dashboard, startDashboard } from './support/browser.ts'
import { faultsOf, SCREENS } from './support/screens.ts'

const PAGES = [
  'today',
  'people',
  'messages',
  'messages?status=scheduled&due=all',
  'failures',
  'upcoming',
  'machine',
  'inbox',
  'settings',
  'settings/templates',
  'settings/keys',
  'settings/sessions',
  'settings/audit',
  'settings/environment',
  'settings/time',
  'nowhere',
]

type Created = { user: { id: string }; nextBirthdayEvent: { id: string } }

let dashboard: Dashboard
let pages: string[]

beforeAll(async () => {
  dashboard = await startDashboard()
  await dashboard.call('POST', '/demo')
  const person = { firstName: 'Ada', lastName: 'Byron', dateOfBirth: '1990-12-15' }
  const { user, nextBirthdayEvent } = await dashboard.call<Created>('POST', '/user', {
    ...person,
    timezone: 'America/Vancouver',
  })
  pages = [...PAGES, `people/${user.id}`, `event/${nextBirthdayEvent.id}`]
})
afterAll(() => dashboard?.close())

describe.each(SCREENS.filter(({ options }) => options.colorScheme === 'light'))(
  'on a screen of $width px',
  ({ options }) => {
    it('every page fits the width, and axe finds nothing in the light and the dark theme', async () => {
      const page = await dashboard.open('today', options)
      const faults: string[] = []
      for (const path of pages) {
        await page.goto(`${dashboard.url}/app/${path}`)
        await page.locator('main h1').first().waitFor()
        await page.getByRole('status').first().waitFor({ state: 'detached' })
        faults.push(...(await faultsOf(page)))
        // The themes differ in colours alone.
        await page.emulateMedia({ colorScheme: 'dark' })
        await page.locator('html[data-theme=dark]').waitFor()
        faults.push(...(await faultsOf(page, 'color-contrast')))
        await page.emulateMedia({ colorScheme: 'light' })
      }
      await page.context().close()
      expect(faults).toEqual([])
      expect(dashboard.pageErrors()).toEqual([])
    })
  },
)
