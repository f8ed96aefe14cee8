// The dashboard under a path of an application, in a real browser.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { TerceOptions } from '../../src/library/library.ts'
import { createTerce } from '../../src/library/terce.ts'
import { BASE, onHono } from '../library/support/hosts.ts'
import { builtDashboard, sharedBrowser } from './support/browser.ts'
import { goTo } from './support/screens.ts'

let browser: Browser
beforeAll(async () => {
  await builtDashboard()
  browser = await sharedBrowser()
}, 300_000)

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const KEY = 'terce_for-the-tests-of-an-application'
const ADA = { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1990-12-15', timezone: 'Asia/Jakarta' }

async function open(path: string, options: Partial<TerceOptions>) {
  const folder = mkdtempSync(join(tmpdir(), 'terce-base-'))
  cleanups.push(() => rmSync(folder, { recursive: true }))
  const { settings, ...rest } = options
  const terce = createTerce({
    database: join(folder, 'app.db'),
    basePath: BASE,
    settings: { LOG_LEVEL: 'silent', ...settings },
    ...rest,
  })
  cleanups.push(() => terce.stop())
  const { url, close } = await onHono(terce)
  cleanups.push(close)
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  cleanups.push(() => context.close())
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith(`${url}${BASE}/`) && !/^(data|blob):/.test(request.url()))
      faults.push(`A request left the path: ${request.url()}`)
  })
  await page.goto(`${url}${BASE}/${path}`)
  return { terce, page, url, faults }
}

const pathOf = (page: Page) => new URL(page.url()).pathname

describe('the dashboard under a path of an application', () => {
  it('shows every page, follows live updates, and sends no request outside its path', async () => {
    const { terce, page, url, faults } = await open('', {
      authenticate: () => ({ name: 'grace', scope: 'admin' }),
    })
    expect(pathOf(page)).toBe(`${BASE}/app/`)
    await page.getByRole('main').getByRole('heading').first().waitFor()
    expect(await page.title()).toBe('Today · Terce')
    // The application signed the caller in.
    expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(0)
    for (const [label, segment] of [
      ['Messages', 'messages'],
      ['Upcoming', 'upcoming'],
      ['Settings', 'settings'],
      ['People', 'people'],
    ] as const) {
      await goTo(page, label)
      await page.waitForURL(`${url}${BASE}/app/${segment}*`)
      await page.getByRole('heading', { name: label }).first().waitFor()
    }
    const { user } = await terce.users.create(ADA)
    await page.getByText('Ada Lovelace').first().waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    expect(readFileSync(await (await download).path(), 'utf8')).toMatch(/Ada,Lovelace,.*\r\n#end,,,,,,,\r\n$/)
    // The panel of a person covers the button.
    await page.getByText('Ada Lovelace').first().click()
    await page.waitForURL(`${url}${BASE}/app/people/${user.id}`)
    await page.goto(`${url}${BASE}/docs`)
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await page.waitForURL(`${url}${BASE}/app/`)
    await page.getByRole('link', { name: 'Docs', exact: true }).click()
    await page.waitForURL(`${url}${BASE}/app/docs/index.html`)
    await page.getByRole('heading', { name: 'What do you want to do?' }).waitFor()
    expect(faults).toEqual([])
  }, 120_000)

  it('signs in with an API key, by a cookie that the browser sends to its path only', async () => {
    const { page, url, faults } = await open('app/people', {
      settings: { TERCE_API_KEYS: `dev:admin:${KEY}` },
    })
    await page.getByLabel('API key').fill(KEY)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'People' }).first().waitFor()
    const cookies = await page.context().cookies(`${url}${BASE}/user`)
    expect(cookies.map(({ name, path }) => [name, path])).toEqual([['terce_session', BASE]])
    expect(await page.context().cookies(`${url}/`)).toEqual([])
    await page.getByRole('button', { name: 'Sign out' }).first().click()
    await page.getByLabel('API key').waitFor()
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([])
  }, 120_000)
})
