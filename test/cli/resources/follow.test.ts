// `terce events --follow`: prints each settled event once. The list says how exact a delivery was.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { addEvents } from '../../../src/cli/resources/events.ts'
import { work } from '../../http/support/event-steps.ts'
import type { TestApp } from '../../http/support/test-app.ts'
import { deliver } from '../support/deliveries.ts'
import { useDatabase } from '../support/in-process.ts'
import { COMMAND } from '../support/run-command.ts'

const database = useDatabase(addEvents)

function follow(...args: string[]) {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [COMMAND, 'events', '--follow', ...args], {
    env: { PATH, DATABASE_URL: `sqlite:${database.path}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return { child, next: async () => (await lines.next()).value! }
}

it('terce events --follow begins with the latest settled events, and prints each later one once', async () => {
  const earlier = await deliver(database.path, 3, 'delivered')
  const { child, next } = follow('--json', '--limit', '2')
  const exited = once(child, 'exit')
  const printed = [await next(), await next()].map((line) => JSON.parse(line).id)
  expect(earlier.map(({ eventId }) => eventId)).toEqual(expect.arrayContaining(printed))
  const [failed] = await deliver(database.path, 1, 'failed')
  expect(JSON.parse(await next())).toMatchObject({ id: failed!.eventId, status: 'FAILED' })
  const [sent] = await deliver(database.path, 1, 'delivered')
  expect(JSON.parse(await next())).toMatchObject({ id: sent!.eventId, status: 'COMPLETED' })
  child.stdout.destroy()
  await deliver(database.path, 1, 'delivered')
  expect(await exited, 'the reader closed the pipe').toEqual([0, null])
})

it('terce events --follow --status FAILED prints only failures', async () => {
  await deliver(database.path, 1, 'delivered')
  await deliver(database.path, 1, 'failed')
  const { child, next } = follow('--status', 'FAILED')
  expect(await next()).toMatch(/^\S{36} {2}FAILED {2}BIRTHDAY .* {2}RETRIES_EXHAUSTED: .*HTTP 503$/)
  await deliver(database.path, 1, 'delivered')
  await deliver(database.path, 1, 'gone')
  expect(await next()).toMatch(/ {2}FAILED {2}.* {2}HTTP 410/)
  child.kill()
})

it.each([
  [412, '412 ms after it was due'],
  [61_500, '1 min after it was due'],
  [-1_400, '1.4 s before it was due'],
])('terce events says of a message that was settled %i ms after it was due: %s', async (delayMs, text) => {
  await deliver(database.path, 1, null)
  const [planned] = (await database.open().listEvents({ limit: 1, cursor: null })).items
  await work({ store: database.open() } as TestApp, Date.now(), { at: planned!.targetAt + delayMs })
  expect((await database.terce(['events'])).stdout).toMatch(new RegExp(`COMPLETED .* {2}${text}$`, 'm'))
})

it.each(['PENDING', 'PROCESSING'])('terce events --follow --status %s is wrong usage', async (status) => {
  await deliver(database.path, 1, null)
  const { code, stderr } = await database.terce(['events', '--follow', '--status', status])
  expect([code, stderr]).toEqual([2, expect.stringContaining('--follow prints settled events')])
})
