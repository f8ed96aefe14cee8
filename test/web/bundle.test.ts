// The built dashboard.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { builtDashboard, startDashboard } from './support/browser.ts'

describe('the bundle', () => {
  beforeAll(builtDashboard)

  const folder = new URL('../../dist/web/', import.meta.url)

  it('is under 264 kB compressed without the pages of docs, and loads nothing from other hosts', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => !name.startsWith('docs/'))
      .map((name) => new URL(name, folder))
      .filter((file) => statSync(file).isFile() && !/\.(br|gz)$/.test(file.pathname))
    const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0)
    expect(bytes).toBeGreaterThan(50_000)
    expect(bytes).toBeLessThan(264_000)
    const page = readFileSync(new URL('index.html', folder), 'utf8')
    expect(page).not.toMatch(/(src|href)="https?:|<style|<script>| style=/)
  })

  it('has lists that load less than 152 kB compressed, with everything they share', async () => {
    const dashboard = await startDashboard()
    try {
      const shown = {
        today: 'No people yet.',
        people: 'No people yet.',
        messages: 'No messages in the last 30 days.',
        failures: 'No failures.',
        upcoming: 'Select a day to see its messages.',
        ledger: 'No closed day yet.',
      }
      for (const [path, words] of Object.entries(shown)) {
        const page = await dashboard.open('nowhere')
        const loaded: Promise<number>[] = []
        const encodings = new Set<string>()
        page.on('response', (response) => {
          if (!response.url().includes('/app/')) return
          encodings.add(response.headers()['content-encoding'] ?? 'none')
          loaded.push(response.body().then((body) => gzipSync(body).length))
        })
        await page.goto(`${dashboard.url}/app/${path}`)
        await page.getByText(words).waitFor()
        expect([...encodings], path).not.toContain('none')
        const bytes = (await Promise.all(loaded)).reduce((sum, size) => sum + size, 0)
        expect([path, bytes > 50_000, bytes < 152_000], `${path} loads ${bytes} bytes`).toEqual([
          path,
          true,
          true,
        ])
        await page.context().close()
      }
    } finally {
      await dashboard.close()
    }
  })
})
