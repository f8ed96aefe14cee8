// Modal dialogs. The native dialog element keeps the focus inside and closes on Escape.
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Button, IconButton } from './button.tsx'

type DialogProps = { title: string; onClose: () => void; children: ReactNode; wide?: boolean }

export function Dialog({ title, onClose, children, wide = false }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = ref.current
    if (dialog === null || dialog.open) return
    dialog.showModal()
    firstTarget(dialog)?.focus()
    return () => dialog.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a dialog closes on Escape already
    <dialog
      ref={ref}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      // A click beside the dialog must not drop a form.
      onClick={(event) => event.target === ref.current && fieldsOf(ref.current).length === 0 && onClose()}
      className={`m-auto w-[calc(100vw-2rem)] rounded-xl border border-line bg-panel p-0 text-ink shadow-float ${wide ? 'max-w-3xl' : 'max-w-lg'}`}
    >
      <header className="flex items-center justify-between border-line border-b py-2 pr-2 pl-5">
        <h2 id={id} className="font-serif text-lg">
          {title}
        </h2>
        <IconButton label="Close" icon="close" onClick={onClose} />
      </header>
      <div data-body className="max-h-[75dvh] overflow-y-auto p-5">
        {children}
      </div>
    </dialog>
  )
}

const FIELDS = ':is(input, select, textarea):not([type=hidden], :disabled)'

function fieldsOf(dialog: HTMLElement): NodeListOf<HTMLElement> {
  return dialog.querySelectorAll<HTMLElement>(FIELDS)
}

/** The first field, or else the first button or link below the header: not Close. */
function firstTarget(dialog: HTMLElement): HTMLElement | null {
  return fieldsOf(dialog)[0] ?? dialog.querySelector<HTMLElement>('[data-body] :is(button, a)')
}

type ConfirmProps = {
  title: string
  children: ReactNode
  action: string
  danger?: boolean
  busy?: boolean
  disabled?: boolean
  onConfirm: () => void
  onClose: () => void
}

export function Confirm(props: ConfirmProps) {
  const {
    title,
    children,
    action,
    danger = false,
    busy = false,
    disabled = false,
    onConfirm,
    onClose,
  } = props
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="space-y-3">{children}</div>
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look={danger ? 'danger' : 'primary'} busy={busy} disabled={disabled} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
