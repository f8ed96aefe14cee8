// What open pages of the dashboard ask, as recorded from real ones, asked again at their pace without a browser: a browser
// on the same machine would take the cores that are measured.
import { request } from 'node:http'
import type { Browser } from 'playwright-core'
import { createRefreshTimer } from '../../web/src/live/refresh-timer.ts'

export const PAGES = ['today', 'people', 'failures'] as const
/** The requests of one refresh, by page. */
export type Recording = Record<string, string[]>

/** Opens each page in a real browser, makes something change, and notes what the page asks for then. */
export async function record(browser: Browser, url: string): Promise<Recording> {
  const recording: Recording = {}
  for (const name of PAGES) {
    const page = await browser.newPage()
    await page.goto(`${url}/app/${name}`)
    await page.getByText('live', { exact: true }).waitFor()
    await page.waitForLoadState('networkidle').catch(() => {})
    const asked = new Set<string>()
    page.on('request', (one) => {
      const path = one.url().slice(url.length)
      if (one.method() === 'GET' && path !== '/live') asked.add(path)
    })
    // Sets what is set already: a change to whoever listens, and to nothing else.
    await fetch(`${url}/demo`, { method: 'DELETE' })
    await page.waitForResponse(() => true)
    await page.waitForTimeout(3_000)
    recording[name] = [...asked]
    await page.close()
  }
  return recording
}

export type DashboardClient = {
  /** How long each request took, by path. */
  tookMs: Map<string, number[]>
  /** What was not answered as it should be. */
  refused: string[]
  stop(): void
}

/** One open line and one pace for each page. */
export function startDashboardClient(url: string, recording: Recording): DashboardClient {
  const tookMs = new Map<string, number[]>()
  const refused: string[] = []
  let stopped = false
  const stops = Object.values(recording).map((paths) => {
    const busy = new Set<string>()
    const pace = createRefreshTimer(async () => {
      // As the page does: what is being asked already is not asked a second time.
      await Promise.all(paths.filter((path) => !busy.has(path)).map(ask))
    })
    async function ask(path: string): Promise<void> {
      busy.add(path)
      const started = performance.now()
      const response = await fetch(url + path)
      await response.arrayBuffer()
      busy.delete(path)
      if (stopped) return
      if (!response.ok) refused.push(`GET ${path} answered ${response.status}`)
      const name = path.split('?')[0]!
      tookMs.set(name, [...(tookMs.get(name) ?? []), performance.now() - started])
    }
    const line = request(`${url}/live`, (response) => response.on('data', () => pace.soon()))
    line.on('error', () => {})
    line.end()
    pace.now()
    return () => {
      pace.stop()
      line.destroy()
    }
  })
  return {
    tookMs,
    refused,
    stop() {
      stopped = true
      for (const stop of stops) stop()
    },
  }
}
