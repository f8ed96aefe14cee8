// Which queries a change by the page asks again.
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { TerceError } from '../../../src/client/client.ts'
import { invalidateAll, pollMs } from '../../../web/src/api/polling.ts'

const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
  client.clear()
  vi.unstubAllGlobals()
})

/** Shows a query on the page, and returns how often it asked. */
async function show(name: string, queryFn: () => Promise<unknown>, meta = {}): Promise<() => number> {
  let asked = 0
  const count = () => {
    asked++
    return queryFn()
  }
  const query = { queryKey: [name], meta, queryFn: count }
  const observer = new QueryObserver(client, query)
  stops.push(observer.subscribe(() => {}))
  await client.fetchQuery({ ...query, staleTime: Number.POSITIVE_INFINITY }).catch(() => {})
  return () => asked
}

const failing = (status: number) => () =>
  Promise.reject(new TerceError({ code: `HTTP_${status}`, status, detail: '' }))

describe('a change by the page', () => {
  it('asks again for live data and after an error of the server', async () => {
    const live = await show('live', async () => 1)
    const broken = await show('broken', failing(503))
    await invalidateAll(client)
    expect([live(), broken()]).toEqual([2, 2])
  })

  it('does not ask again for an id that was not found', async () => {
    const unknown = await show('unknown', failing(404))
    await invalidateAll(client)
    await invalidateAll(client)
    expect(unknown()).toBe(1)
  })

  it('leaves data alone that is not live', async () => {
    const settings = await show('settings', async () => 1, { live: false })
    await invalidateAll(client)
    expect(settings()).toBe(1)
  })
})

describe('the interval of a query', () => {
  async function intervalOn(pathname: string, meta = {}) {
    vi.stubGlobal('location', { pathname })
    await show('any', async () => 1, meta)
    return pollMs(client, client.getQueryCache().find({ queryKey: ['any'] })!)
  }

  it('is two seconds in the inbox and on the page of an event until it is settled, otherwise five', async () => {
    client.setQueryData(['event', 'open'], { status: 'PENDING' })
    client.setQueryData(['event', 'settled'], { status: 'COMPLETED' })
    for (const [path, ms] of [
      ['/inbox', 2_000],
      ['/event/open', 2_000],
      ['/event/settled', 5_000],
      ['/event/unknown', 5_000],
      ['/people', 5_000],
    ] as const)
      expect([path, await intervalOn(path)]).toEqual([path, ms])
  })

  it('is none for data that is not live', async () => {
    expect(await intervalOn('/inbox', { live: false })).toBe(false)
  })
})
