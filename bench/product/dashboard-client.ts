// Records the requests of open dashboard pages in a browser, and repeats them at their pace without a browser, which would use
// the cores that are measured.
import { request } from 'node:http'
import type { Browser } from 'playwright-core'
import { createRefreshTimer } from '../../web/src/live/refresh-timer.ts'

export const PAGES = ['today', 'people', 'failures'] as const
/** The requests of one refresh, by page. */
export type Recording = Record<string, string[]>

/** Opens each page in a browser, triggers a change, and records the requests of the page. */
export async function record(browser: Browser, url: string): Promise<Recording> {
  const recording: Recording = {}
  for (const name of PAGES) {
    const page = await browser.newPage()
    await page.goto(`${url}/app/${name}`)
    await page.getByText('live', { exact: true }).waitFor()
    await page.waitForLoadState('networkidle').catch(() => {})
    const requested = new Set<string>()
    page.on('request', (sent) => {
      const path = sent.url().slice(url.length)
      if (sent.method() === 'GET' && path !== '/live') requested.add(path)
    })
    // No data changes, but every live page is notified.
    await fetch(`${url}/demo`, { method: 'DELETE' })
    await page.waitForResponse(() => true)
    await page.waitForTimeout(3_000)
    recording[name] = [...requested]
    await page.close()
  }
  return recording
}

export type DashboardClient = {
  /** How long each request took, by path. */
  tookMs: Map<string, number[]>
  /** Requests whose response was not OK. */
  failures: string[]
  stop(): void
}

/** For each page, opens one live connection and repeats the requests with one refresh timer. */
export function startDashboardClient(url: string, recording: Recording): DashboardClient {
  const tookMs = new Map<string, number[]>()
  const failures: string[] = []
  let stopped = false
  const stops = Object.values(recording).map((paths) => {
    const inFlight = new Set<string>()
    const timer = createRefreshTimer(async () => {
      // Like the page, sends no request that is already in flight.
      await Promise.all(paths.filter((path) => !inFlight.has(path)).map(send))
    })
    async function send(path: string): Promise<void> {
      inFlight.add(path)
      const started = performance.now()
      const response = await fetch(url + path)
      await response.arrayBuffer()
      inFlight.delete(path)
      if (stopped) return
      if (!response.ok) failures.push(`GET ${path}: HTTP ${response.status}`)
      const name = path.split('?')[0]!
      tookMs.set(name, [...(tookMs.get(name) ?? []), performance.now() - started])
    }
    const live = request(`${url}/live`, (response) => response.on('data', () => timer.soon()))
    live.on('error', () => {})
    live.end()
    timer.now()
    return () => {
      timer.stop()
      live.destroy()
    }
  })
  return {
    tookMs,
    failures,
    stop() {
      stopped = true
      for (const stop of stops) stop()
    },
  }
}
