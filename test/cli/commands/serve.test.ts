// A process that starts and stops: its banner, its log lines, and the channels that do not send.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { makeChannel } from '../../contracts/store/settings.ts'
import { startTerce } from '../../runtimes/support/terce-process.ts'
import { until } from '../../support/until.ts'

it('The banner names each held and disabled channel, with the reason and the remedy', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'terce-banner-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'terce.db')
  const store = openSqliteStore(path)
  const crm = makeChannel({ name: 'crm', status: 'HELD', statusReason: 'HTTP 401' })
  const old = makeChannel({ name: 'old', status: 'DISABLED', statusReason: 'HTTP 410' })
  for (const channel of [crm, old, makeChannel({ name: 'up' })]) await store.saveChannel(channel)
  await store.close()
  const terce = await startTerce({
    DATABASE_URL: `sqlite:${path}`,
    LOG_LEVEL: 'silent',
    TERCE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  })
  onTestFinished(async () => void (await terce.kill('SIGTERM')))
  await until('printed', terce.output, (text) => text.includes('access'))
  const lines = terce.output().split('\n')
  const fix = (id: string) => `Fix its secret or the receiver, then POST /channel/${id}/release.`
  expect(lines.filter((line) => line.includes('channel '))).toEqual([
    `  held       channel crm (HTTP 401): its messages wait. ${fix(crm.id)}`,
    `  disabled   channel old (HTTP 410): its messages fail. ${fix(old.id)}`,
  ])
})

describe('a process at a terminal', () => {
  it('prints the banner, readable log lines, (new) beside its new database, misspelt settings, and a line when it stops', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'terce-banner-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const env = { DATABASE_URL: `sqlite:${join(folder, 'terce.db')}`, LOG_FORMAT: 'text' }
    const first = await startTerce(env)
    onTestFinished(async () => void (await first.kill('SIGKILL')))
    await until('the log', first.output, (text) => text.includes('Worker started'))
    const lines = first.output().split('\n')
    expect(lines[0]).toBe(`Dashboard    ${first.url}/app/`)
    expect(lines.find((line) => line.includes('database'))).toMatch(/terce\.db \(new\)$/)
    expect(lines.find((line) => line.includes('No missed'))).toMatch(/^\d\d:\d\d:\d\dZ {2}info {3}No missed/)
    expect(await first.kill('SIGTERM')).toBe(0)
    expect(first.output()).toMatch(/^Stopping: .*\n(.*\n)*Stopped\.\n$/m)

    const second = await startTerce({ ...env, WEBHOK_URL: 'http://hidden.example' })
    onTestFinished(async () => void (await second.kill('SIGKILL')))
    await until('the banner', second.output, (text) => text.includes('database'))
    expect(second.output()).not.toContain('(new)')
    expect(second.output()).toContain('terce: WEBHOK_URL is not a setting. Did you mean WEBHOOK_URL?\n')
    expect(second.output()).not.toContain('hidden')
  })
})
