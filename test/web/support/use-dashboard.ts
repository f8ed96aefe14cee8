// The set-up of a file of browser tests: one dashboard, and perhaps a receiver, for all tests of the file.
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { type Dashboard, startDashboard } from './browser.ts'
import { createReceiver, type TestReceiver } from './receiver.ts'

export type Person = { id: string; timezone: string }
export type Created = {
  user: Person
  nextBirthdayEvent: { id: string; targetTimestampLocal: string }
}

/** Pages are closed after each test, which fails if one of them had an error. `set` makes what the tests of the file begin with. */
export function useDashboard(
  env: Record<string, string> | (() => Record<string, string>) = {},
  set: () => Promise<unknown> = async () => {},
): Dashboard {
  const dashboard = {} as Dashboard
  beforeAll(async () => {
    Object.assign(dashboard, await startDashboard(typeof env === 'function' ? env() : env))
    await set()
  })
  afterAll(() => dashboard.close?.())
  afterEach(async () => {
    await dashboard.closePages()
    expect(dashboard.pageErrors()).toEqual([])
  })
  return dashboard
}

/** To be called before `useDashboard`, whose settings may need its URL. */
export function useReceiver(): TestReceiver {
  const receiver = createReceiver()
  beforeAll(() => receiver.start())
  afterAll(() => receiver.close())
  return receiver
}

export function createPerson(dashboard: Dashboard, name: string, more: object = {}): Promise<Created> {
  const [firstName, lastName] = name.split(' ')
  const person = { firstName, lastName, dateOfBirth: '1990-12-15', timezone: 'UTC', ...more }
  return dashboard.call('POST', '/user', person)
}
