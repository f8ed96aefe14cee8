// A real Chromium in front of the real product. Every page that it hands out notes what went wrong in it.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { startTerce } from '../../runtimes/support/terce-process.ts'
import { findChromium } from './chromium.ts'

const WEB = fileURLToPath(new URL('../../../web/', import.meta.url))
const BUILT = fileURLToPath(new URL('../../../dist/web/', import.meta.url))

export type Dashboard = {
  url: string
  /** The file of its database. */
  database: string
  /** Opens a page of the dashboard, such as `people?search=ada`. */
  open(path?: string, options?: BrowserContextOptions): Promise<Page>
  /** What the pages complained of since the last call: errors in the console, and requests to anywhere else. */
  complaints(): string[]
  /** Calls the API as a program would. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  close(): Promise<void>
}

/** The dashboard in dist/web, as it is in web/ now. */
export const builtDashboard = () => oneAtATime(buildIfStale)

export async function startDashboard(env: Record<string, string> = {}): Promise<Dashboard> {
  await builtDashboard()
  const folder = mkdtempSync(join(tmpdir(), 'terce-web-'))
  const database = join(folder, 'terce.db')
  const [terce, browser] = await Promise.all([
    startTerce({
      DATABASE_URL: `sqlite:${database}`,
      LOG_LEVEL: 'silent',
      ALLOW_PRIVATE_TARGETS: 'true',
      TERCE_SECRET_KEY: randomBytes(32).toString('base64'),
      ...env,
    }),
    launchBrowser(),
  ])
  const noted: string[] = []
  return {
    url: terce.url,
    database,
    complaints: () => noted.splice(0),
    open: async (path = '', options = {}) => {
      const page = await newPage(browser, options)
      page.on('console', (message) => message.type() === 'error' && noted.push(message.text()))
      page.on('pageerror', (error) => noted.push(error.message))
      page.on('request', (request) => {
        const isOurs = request.url().startsWith(terce.url) || /^(data|blob|about):/.test(request.url())
        if (!isOurs) noted.push(`It asked ${request.url()}`)
      })
      await page.goto(`${terce.url}/app/${path}`)
      return page
    },
    call: async (method, path, body) => {
      const response = await fetch(terce.url + path, {
        method,
        ...(body !== undefined && {
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        }),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
      return text === '' ? undefined : JSON.parse(text)
    },
    close: async () => {
      await browser.close()
      await terce.kill('SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    ...(await oneAtATime(findChromium)),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

async function newPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  })
  context.setDefaultTimeout(60_000)
  return context.newPage()
}

/** Where it is the afternoon just now: nine has passed, and midnight is hours away. */
export function afternoonZone(now: number): string {
  const hoursEast = 15 - new Date(now).getUTCHours()
  const wrapped = hoursEast > 14 ? hoursEast - 24 : hoursEast
  // Etc names count the hours the other way round; a browser calls that of none by its other name.
  return wrapped === 0 ? 'UTC' : `Etc/GMT${wrapped > 0 ? '-' : '+'}${Math.abs(wrapped)}`
}

/** Today's date there, in a year that every day exists in. */
export function bornToday(timezone: string, now: number): string {
  const date = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' }).format(now)
  return `1992-${date.slice(5)}`
}

async function buildIfStale(): Promise<void> {
  const newest = (folder: string) =>
    Math.max(
      ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(
        (name) => statSync(join(folder, name)).mtimeMs,
      ),
    )
  const page = join(BUILT, 'index.html')
  const domain = fileURLToPath(new URL('../../../src/domain/', import.meta.url))
  if (existsSync(page) && statSync(page).mtimeMs > Math.max(newest(WEB), newest(domain))) return
  // In a process of its own: in this one React would take itself for being developed, and be twice the size.
  const vite = createRequire(import.meta.url)
    .resolve('vite/package.json')
    .replace('package.json', 'bin/vite.js')
  const env = { ...process.env, NODE_ENV: 'production' }
  await promisify(execFile)(process.execPath, [vite, 'build', WEB, '--logLevel', 'error'], { env })
}

/** Two files of tests must neither build into one folder nor unpack one browser at the same time. */
async function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  const lock = join(tmpdir(), `terce-web-${process.ppid}.lock`)
  for (;;) {
    try {
      mkdirSync(lock)
      break
    } catch {
      await sleep(50)
    }
  }
  try {
    return await work()
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}
