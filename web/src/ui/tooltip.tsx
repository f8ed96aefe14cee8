// One tooltip for all elements with `data-tip`: on hover, on focus and on touch.
import { useEffect, useRef } from 'react'

export function Tooltip() {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const tip = ref.current
    if (tip === null) return
    const hide = () => tip.hidePopover()
    const show = (event: Event) => {
      const target = event.target instanceof Element ? event.target.closest('[data-tip]') : null
      const text = target?.getAttribute('data-tip')
      if (target === null || !text) return hide()
      tip.textContent = text
      // Reopened, so that it is above open dialogs.
      tip.hidePopover()
      tip.showPopover()
      const at = target.getBoundingClientRect()
      const own = tip.getBoundingClientRect()
      const left = Math.max(8, Math.min(innerWidth - own.width - 8, at.left + at.width / 2 - own.width / 2))
      const above = at.top - own.height - 6
      tip.style.left = `${left}px`
      tip.style.top = `${above > 8 ? above : at.bottom + 6}px`
    }
    const showOnKey = (event: Event) => (event.target as Element).matches(':focus-visible') && show(event)
    document.addEventListener('pointerover', show)
    document.addEventListener('focusin', showOnKey)
    document.addEventListener('focusout', hide)
    document.addEventListener('scroll', hide, true)
    return () => {
      document.removeEventListener('pointerover', show)
      document.removeEventListener('focusin', showOnKey)
      document.removeEventListener('focusout', hide)
      document.removeEventListener('scroll', hide, true)
    }
  }, [])
  return (
    <div
      ref={ref}
      role="tooltip"
      popover="manual"
      className="pointer-events-none fixed inset-auto m-0 max-w-xs whitespace-pre-line rounded-md border border-line-strong bg-panel px-2.5 py-1.5 text-ink text-xs shadow-float"
    />
  )
}
