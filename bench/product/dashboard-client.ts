// Records the requests of open dashboard pages in a browser, and repeats them at their pace without a browser, which would use
// the cores that are measured.
import type { Browser } from 'playwright-core'

/** The interval of web/src/api/polling.ts. */
const POLL_MS = 5_000
export const PAGES = ['today', 'people', 'failures'] as const
/** The requests of one poll, by page. */
export type Recording = Record<string, string[]>

/** Opens each page in a browser, and records the requests that it repeats. */
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
      if (sent.method() === 'GET') requested.add(path)
    })
    await page.waitForTimeout(2 * POLL_MS)
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

/** Repeats the requests of each page at the interval of the page. */
export function startDashboardClient(url: string, recording: Recording): DashboardClient {
  const tookMs = new Map<string, number[]>()
  const failures: string[] = []
  let stopped = false
  const stops = Object.values(recording).map((paths) => {
    const inFlight = new Set<string>()
    // Like the page, sends no request that is already in flight.
    const poll = () => void Promise.all(paths.filter((path) => !inFlight.has(path)).map(send))
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
    poll()
    const timer = setInterval(poll, POLL_MS)
    return () => clearInterval(timer)
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
