// An action with undo: committed after a delay or when the page is closed, unless undone.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { offerUndo, shownToasts, UNDO_MS } from '../../../web/src/ui/toast.tsx'

let page: EventTarget
let log: string[]

beforeEach(() => {
  vi.useFakeTimers()
  page = new EventTarget()
  log = []
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
})
afterEach(() => {
  vi.runAllTimers()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function remove(result: () => Promise<unknown> = async () => {}) {
  offerUndo({
    text: 'Ada deleted.',
    commit: (leaving) => {
      log.push(leaving ? 'committed while leaving' : 'committed')
      return result()
    },
    onUndo: () => log.push('undone'),
  })
}

describe('an action with undo', () => {
  it('is committed after the delay', async () => {
    remove()
    expect(shownToasts().map(({ text }) => text)).toEqual(['Ada deleted.'])
    await vi.advanceTimersByTimeAsync(UNDO_MS - 1)
    expect(log).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(log).toEqual(['committed'])
    expect(shownToasts()).toEqual([])
  })

  it('is not committed once undone, nor when the page is closed afterwards', async () => {
    remove()
    shownToasts()[0]!.undo!()
    page.dispatchEvent(new Event('pagehide'))
    await vi.advanceTimersByTimeAsync(UNDO_MS * 2)
    expect(log).toEqual(['undone'])
  })

  it('is committed once when the page is closed before the delay has passed', async () => {
    remove()
    page.dispatchEvent(new Event('pagehide'))
    await vi.advanceTimersByTimeAsync(UNDO_MS * 2)
    expect(log).toEqual(['committed while leaving'])
  })

  it('is undone with a notice when the commit fails', async () => {
    remove(() => Promise.reject(new Error('It is locked.')))
    await vi.advanceTimersByTimeAsync(UNDO_MS)
    expect(log).toEqual(['committed', 'undone'])
    expect(shownToasts()).toMatchObject([{ text: 'It is locked.', tone: 'failed' }])
  })
})
