// The API reference at /docs in a real browser.
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Dashboard, startDashboard } from './support/browser.ts'

describe('the API reference in a browser', () => {
  let dashboard: Dashboard
  let page: Page

  beforeAll(async () => {
    dashboard = await startDashboard()
    page = await dashboard.open('../docs')
  })
  afterAll(() => dashboard?.close())

  it('finds operations, fields and problems, and jumps to the first match', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type('timezone')
    const found = page.locator('#found')
    expect(await found.getByRole('heading').allTextContents()).toEqual(['Operations', 'Fields', 'Problems'])
    expect(await found.getByRole('link', { name: 'NewUser.timezone', exact: true }).count()).toBe(1)
    expect(await found.getByRole('link', { name: 'UNKNOWN_TIMEZONE' }).count()).toBe(1)
    await page.keyboard.press('Control+A')
    await page.keyboard.type('explain event')
    expect(await found.getByRole('status').textContent()).toMatch(/^\d+ match/)
    await page.keyboard.press('Enter')
    await page.waitForURL(/#get-event-id-explain$/)
    await page.keyboard.press('Escape')
    expect(await found.isVisible()).toBe(false)
    await page.getByRole('navigation').getByText('Common calls').waitFor()
  })

  it('copies a sample', async () => {
    const sample = page.locator('#post-user pre').first()
    await sample.getByRole('button', { name: 'Copy' }).click()
    await sample.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate('navigator.clipboard.readText()')
    expect(copied).toContain(`curl -X POST '${dashboard.url}/user' \\`)
    expect(copied).not.toContain('Copy')
  })

  it('opens a collapsed group for a link into it', async () => {
    const group = page.locator('details.group', { has: page.locator('h2', { hasText: 'People' }) })
    const operation = page.locator('#post-user')
    await group.locator('> summary').click()
    await operation.waitFor({ state: 'hidden' })
    await page.getByRole('navigation').getByRole('link', { name: 'Create a person' }).first().click()
    await operation.waitFor()
  })

  it('has the theme that was chosen in the dashboard', async () => {
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    const light = await background()
    await page.evaluate("localStorage.setItem('terce-theme', 'dark')")
    await page.reload()
    expect(await background()).not.toBe(light)
    await page.evaluate("localStorage.removeItem('terce-theme')")
  })

  it.each([
    ['light', 1440],
    ['dark', 1024],
    ['dark', 390],
  ] as const)('axe finds nothing in %s theme at %i px, and nothing overflows', async (colorScheme, width) => {
    const options = { colorScheme, viewport: { width, height: 900 } }
    const own = await dashboard.open('../docs', options)
    await own.getByRole('searchbox').fill('user')
    // Every group has the same elements, and axe takes a minute for all of them.
    await own.evaluate(
      "document.querySelectorAll('.group:not(#codes) ~ .group:not(#codes)').forEach((group) => group.remove())",
    )
    await own.evaluate(
      "document.querySelectorAll('.group article:nth-of-type(n + 4)').forEach((article) => article.remove())",
    )
    await own.evaluate(axe.source)
    const { violations } = (await own.evaluate('axe.run()')) as axe.AxeResults
    expect(
      violations.flatMap(({ id, nodes }) => nodes.slice(0, 5).map(({ html }) => `${id}: ${html}`)),
    ).toEqual([])
    expect(await own.evaluate('document.documentElement.scrollWidth')).toBe(width)
    await own.context().close()
  })

  it('can be read without JavaScript', async () => {
    const own = await dashboard.open('../docs', { javaScriptEnabled: false })
    expect(await own.getByRole('searchbox').count()).toBe(0)
    expect(await own.getByRole('button').count()).toBe(0)
    expect(await own.locator('article').last().isVisible()).toBe(true)
    await own.getByRole('navigation').getByText('Tasks', { exact: true }).click()
    await own.getByRole('navigation').getByRole('link', { name: 'Create a task' }).waitFor()
    await own.context().close()
  })

  it('breaks no rule of its content security policy', () => {
    expect(dashboard.pageErrors()).toEqual([])
  })
})
