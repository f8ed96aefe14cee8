// Short notices at the edge of the screen, some with an undo.
import { useSyncExternalStore } from 'react'
import { messageOf } from '../api/client.ts'
import { Button } from './button.tsx'

type Toast = { id: number; text: string; tone: 'plain' | 'failed'; undo?: () => void }

const SHOWN_MS = 5_000
/** How long an action with undo waits before it is committed. */
export const UNDO_MS = 6_000

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function change(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

function show(toast: Omit<Toast, 'id'>, ms: number): () => void {
  const id = ++lastId
  change([...toasts, { ...toast, id }])
  const close = () => change(toasts.filter((other) => other.id !== id))
  const timer = setTimeout(close, ms)
  return () => {
    clearTimeout(timer)
    close()
  }
}

/** The notices on screen. */
export function shownToasts(): readonly Toast[] {
  return toasts
}

export function notify(text: string): void {
  show({ text, tone: 'plain' }, SHOWN_MS)
}

export function notifyError(error: unknown): void {
  show({ text: messageOf(error), tone: 'failed' }, SHOWN_MS * 2)
}

type Undoable = { text: string; commit: (leaving: boolean) => Promise<unknown>; onUndo: () => void }

/** Commits after a delay, or at once when the page is closed, unless undone before. */
export function offerUndo({ text, commit, onUndo }: Undoable): void {
  let settled = false
  const settle = (): boolean => {
    if (settled) return false
    settled = true
    clearTimeout(timer)
    removeEventListener('pagehide', onLeave)
    close()
    return true
  }
  const onLeave = () => settle() && void commit(true)
  const timer = setTimeout(() => {
    if (!settle()) return
    commit(false).catch((error: unknown) => {
      notifyError(error)
      onUndo()
    })
  }, UNDO_MS)
  const close = show({ text, tone: 'plain', undo: () => settle() && onUndo() }, UNDO_MS + 1_000)
  addEventListener('pagehide', onLeave)
}

export function Toasts() {
  const shown = useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, shownToasts)
  return (
    <div
      aria-live="polite"
      // At the left: the side panel with its forms is at the right. At the top on phones: the panel fills the screen there.
      className="pointer-events-none fixed bottom-4 left-4 z-50 flex w-[min(24rem,calc(100vw-2rem))] flex-col gap-2 max-md:top-4 max-md:bottom-auto md:left-56"
    >
      {shown.map(({ id, text, tone, undo }) => (
        <div
          key={id}
          className={`pointer-events-auto relative flex items-center justify-between gap-3 overflow-hidden rounded-lg border bg-panel py-2 pr-2 pl-4 shadow-float ${tone === 'failed' ? 'border-failed text-failed' : 'border-line-strong'}`}
        >
          <span className="py-1">{text}</span>
          {undo !== undefined && (
            <>
              <Button onClick={undo}>Undo</Button>
              <span className="absolute inset-x-0 bottom-0 h-0.5 animate-countdown bg-accent-fill" />
            </>
          )}
        </div>
      ))}
    </div>
  )
}
