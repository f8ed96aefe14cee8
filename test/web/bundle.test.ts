// The built dashboard.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { builtDashboard } from './support/browser.ts'

describe('the bundle', () => {
  beforeAll(builtDashboard)

  const folder = new URL('../../dist/web/', import.meta.url)

  it('is under 250 kB compressed, and loads nothing from other hosts', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => new URL(name, folder))
      .filter((file) => statSync(file).isFile())
    const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0)
    expect(bytes).toBeGreaterThan(50_000)
    expect(bytes).toBeLessThan(250_000)
    const page = readFileSync(new URL('index.html', folder), 'utf8')
    expect(page).not.toMatch(/(src|href)="https?:|<style|<script>| style=/)
  })
})
