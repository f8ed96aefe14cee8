// What an action does besides its request: notices and refetches.
import { MutationObserver, QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ActionSettings, actionOptions } from '../../../web/src/ui/action.ts'
import { shownToasts } from '../../../web/src/ui/toast.tsx'

let client: QueryClient
let settled: Record<'tasks' | 'people', number>
let stops: (() => void)[]

beforeEach(() => {
  vi.useFakeTimers()
  client = new QueryClient()
  settled = { tasks: 0, people: 0 }
  stops = (['tasks', 'people'] as const).map((name) =>
    new QueryObserver(client, { queryKey: [name], queryFn: async () => ++settled[name] }).subscribe(() => {}),
  )
})
afterEach(() => {
  for (const stop of stops) stop()
  client.clear()
  vi.runAllTimers()
  vi.useRealTimers()
})

async function act<T>(run: (input: string) => Promise<T>, settings: ActionSettings<T, string> = {}) {
  await vi.advanceTimersByTimeAsync(1)
  settled = { tasks: 0, people: 0 }
  const action = new MutationObserver(client, actionOptions(client, run, settings))
  await action.mutate('7').catch(() => {})
  await vi.advanceTimersByTimeAsync(1)
}

const texts = () => shownToasts().map(({ tone, text }) => `${tone}: ${text}`)
const fail = () => Promise.reject(new Error('It is locked.'))

describe('an action', () => {
  it('says what it did and refetches all live data', async () => {
    await act(async (id) => `Task ${id}`, { says: (name) => `${name} deleted.` })
    expect(texts()).toEqual(['plain: Task 7 deleted.'])
    expect(settled).toEqual({ tasks: 1, people: 1 })
  })

  it('refetches only the queries that it names', async () => {
    await act(async () => 1, { refetches: [['tasks']] })
    expect(settled).toEqual({ tasks: 1, people: 0 })
    expect(texts()).toEqual([])
  })

  it('shows its error as a notice and refetches, because the page may be outdated', async () => {
    await act(fail, { says: 'Deleted.' })
    expect(texts()).toEqual(['failed: It is locked.'])
    expect(settled).toEqual({ tasks: 1, people: 1 })
  })

  it('leaves its error to a form that shows it', async () => {
    await act(fail, { showsError: true })
    expect(texts()).toEqual([])
  })

  it('calls onSuccess only after success, and onSettled after both', async () => {
    const calls: string[] = []
    const settings = { onSuccess: () => calls.push('success'), onSettled: () => calls.push('settled') }
    await act(async () => 1, settings)
    await act(fail, settings)
    expect(calls).toEqual(['success', 'settled', 'settled'])
  })
})
