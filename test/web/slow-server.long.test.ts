// The dashboard behind a proxy that delays each response by two seconds.
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Dashboard, startDashboard } from './support/browser.ts'

const DELAY_MS = 2_000

let dashboard: Dashboard
const proxy = createServer((request, response) => {
  setTimeout(() => {
    const { method, headers } = request
    const passed = send(dashboard.url + request.url, { method: method!, headers }, (from) => {
      response.writeHead(from.statusCode!, from.headers)
      from.pipe(response)
    })
    passed.on('error', () => response.destroy())
    response.on('close', () => passed.destroy())
    request.pipe(passed)
  }, DELAY_MS)
})
beforeAll(async () => {
  dashboard = await startDashboard()
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await dashboard?.close()
  proxy.closeAllConnections()
  proxy.close()
})

it('an open page on a slow server shows changes, aborts no request, and loads its parts together', async () => {
  const page = await dashboard.open('nowhere')
  await page.getByText('Page not found.').waitFor()
  await page.goto('about:blank')
  const aborted: string[] = []
  const order: string[] = []
  page.on('requestfailed', (request) => aborted.push(request.url()))
  page.on('request', (request) => order.push(`ask ${new URL(request.url()).pathname}`))
  page.on('response', (response) => order.push(`got ${new URL(response.url()).pathname}`))
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  await page.goto(`${url}/app/people`)
  await page.getByText('No people yet.').waitFor()
  const session = order.indexOf('got /session')
  const code = order.findIndex((one) => /^ask .*\/people-.*\.js$/.test(one))
  expect([code, order.indexOf('ask /today')].map((at) => at !== -1 && at < session)).toEqual([true, true])

  const ada = { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1990-12-15', timezone: 'UTC' }
  await dashboard.call('POST', '/user', ada)
  await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor({ timeout: 20_000 })
  await page.getByText('live', { exact: true }).waitFor()
  expect(aborted).toEqual([])
})
