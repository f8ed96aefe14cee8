// Every page on every screen: it fits the width, and axe finds nothing.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Dashboard, startDashboard } from './support/browser.ts'
import { closeDayWithProblem } from './support/closed-days.ts'
import { faultsOf, follow, SCREENS } from './support/screens.ts'

const PAGES = [
  'today',
  'people',
  'messages',
  'messages?state=scheduled&period=next-7d',
  'failures',
  'upcoming',
  'ledger',
  'inbox',
  'settings',
  'settings/templates',
  'settings/keys',
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
  const day = await closeOneDay(user.id)
  pages = [...PAGES, `people/${user.id}`, `event/${nextBirthdayEvent.id}`, `ledger/${day}`]
})
afterAll(() => dashboard?.close())

async function closeOneDay(userId: string): Promise<string> {
  const { items } = await dashboard.call<{ items: { id: string }[] }>('GET', `/user/${userId}/occasion`)
  return closeDayWithProblem(dashboard.database, items[0]!.id)
}

describe.each(SCREENS.filter(({ options }) => options.colorScheme === 'light'))(
  'on a screen of $width px',
  ({ options, width }) => {
    it('every page fits the width, and axe finds nothing in the light and the dark theme', async () => {
      const page = await dashboard.open('today', options)
      const faults: string[] = []
      for (const path of pages) {
        // Every page is loaded from its address on one screen.
        if (width === SCREENS[0]!.width) await page.goto(`${dashboard.url}/app/${path}`)
        else await follow(page, path)
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
