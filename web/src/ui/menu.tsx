// A button that opens a menu. Escape and a click outside close it.
import { type ReactNode, useEffect, useRef } from 'react'

type MenuProps = { label: string; children: (close: () => void) => ReactNode }

export function Menu({ label, children }: MenuProps) {
  const ref = useRef<HTMLDetailsElement>(null)
  const close = () => {
    if (ref.current !== null) ref.current.open = false
  }
  useEffect(() => {
    const onPointer = (event: Event) => {
      const isInside = event.target instanceof Node && ref.current?.contains(event.target)
      if (ref.current !== null && !isInside) ref.current.open = false
    }
    document.addEventListener('pointerdown', onPointer)
    return () => document.removeEventListener('pointerdown', onPointer)
  }, [])
  return (
    <details
      ref={ref}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || ref.current?.open !== true) return
        // Handled: the panel behind the menu stays open.
        event.preventDefault()
        close()
        ref.current.querySelector('summary')?.focus()
      }}
      className="relative"
    >
      <summary className="inline-flex h-8 list-none items-center rounded-md border border-line-strong bg-panel px-2.5 hover:bg-raised max-md:h-10">
        {label} ▾
      </summary>
      <div className="absolute right-0 z-20 mt-1 flex w-56 flex-col rounded-lg border border-line-strong bg-panel p-1 shadow-float">
        {children(close)}
      </div>
    </details>
  )
}

type MenuItemProps = { onClick: () => void; danger?: boolean; children: ReactNode }

export function MenuItem({ onClick, danger = false, children }: MenuItemProps) {
  return (
    <button
      type="button"
      onClick={onClick}
      className={`rounded px-3 py-1.5 text-left hover:bg-raised ${danger ? 'text-failed' : ''}`}
    >
      {children}
    </button>
  )
}
