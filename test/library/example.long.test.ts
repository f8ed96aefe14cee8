// Runs examples/bookshop unchanged: its tests, and its server.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { beforeEach, expect, it } from 'vitest'
import { run } from '../cli/support/run-command.ts'
import { useProject } from '../client/support/project.ts'
import { useStage } from '../stores/postgres/support/postgres-suite.ts'
import { until } from '../support/until.ts'

const stage = useStage({ database: 'empty' })
const project = useProject()
beforeEach(() => {
  project.copy('bookshop')
  project.install('@hono/node-server', 'drizzle-orm', 'hono', 'pg')
})

it('the bookshop passes its own tests', async () => {
  const env = { DATABASE_URL: stage.database() }
  const { code, stdout } = await run(process.execPath, ['--test', '--test-reporter=tap'], {
    cwd: project.path,
    env,
  })
  expect(stdout).toMatch(/^# pass 5$/m)
  expect(code).toBe(0)
})

it('the bookshop gives a voucher, and shows the dashboard to its owner only', async () => {
  const env = {
    DATABASE_URL: stage.database(),
    ADMIN_PASSWORD: 'for-this-test',
    PORT: '0',
    DELIVER_AT: '00:00',
  }
  const shop = spawn(process.execPath, ['main.ts'], { cwd: project.path, env })
  stage.atEnd(async () => shop.kill('SIGKILL'))
  const [banner] = await once(shop.stdout, 'data')
  const url = /http:\S+:\d+/.exec(String(banner))![0]

  const born = `1992-${new Date().toISOString().slice(5, 10)}`
  const ada = { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: born, timezone: 'UTC' }
  const headers = { 'Content-Type': 'application/json' }
  const signedUp = await fetch(`${url}/customers`, { method: 'POST', headers, body: JSON.stringify(ada) })
  const { id } = (await signedUp.json()) as { id: string }
  const vouchers = async () => (await fetch(`${url}/customers/${id}/vouchers`)).json() as Promise<unknown[]>
  await until('a voucher', vouchers, (found) => found.length === 1)

  const owner = { Authorization: `Basic ${btoa('owner:for-this-test')}` }
  expect((await fetch(`${url}/terce/user`)).status).toBe(401)
  const people = await fetch(`${url}/terce/user`, { headers: owner })
  expect(await people.text()).toContain('Lovelace')
  const page = await fetch(`${url}/terce/app/`, { headers: owner })
  expect(await page.text()).toContain('<title>Terce')

  shop.kill('SIGTERM')
  expect(await once(shop, 'exit')).toEqual([0, null])
})
