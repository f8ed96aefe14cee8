// Buttons.
import { type ButtonHTMLAttributes, useState } from 'react'
import { Icon, type IconName } from './icons.tsx'

type Look = 'plain' | 'primary' | 'quiet' | 'danger'

const LOOKS: Record<Look, string> = {
  plain: 'border-line-strong bg-panel text-ink hover:bg-raised',
  primary: 'border-transparent bg-accent-fill text-on-accent font-medium hover:brightness-105',
  quiet: 'border-transparent bg-transparent text-soft hover:bg-raised hover:text-ink',
  danger: 'border-failed/50 bg-panel text-failed hover:bg-failed-wash',
}

const BUTTON =
  'inline-flex h-8 items-center justify-center gap-1.5 whitespace-nowrap rounded-md border px-2.5 text-sm transition-colors disabled:pointer-events-none disabled:opacity-50 max-md:h-9'

export function buttonClass(look: Look = 'plain'): string {
  return `${BUTTON} ${LOOKS[look]}`
}

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  look?: Look
  icon?: IconName
  /** In progress: disabled and marked as busy. */
  busy?: boolean
}

export function Button({
  look = 'plain',
  icon,
  busy = false,
  children,
  className = '',
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={busy || rest.disabled === true}
      aria-busy={busy || undefined}
      className={`${buttonClass(look)} ${className}`}
    >
      {icon !== undefined && <Icon name={icon} size={14} />}
      {children}
    </button>
  )
}

/** A square button with an icon; `label` is its accessible name and tooltip. */
export function IconButton({ label, icon, ...rest }: ButtonProps & { label: string; icon: IconName }) {
  return (
    <button
      type="button"
      aria-label={label}
      data-tip={label}
      {...rest}
      className={`inline-grid size-8 shrink-0 place-items-center rounded-md text-soft hover:bg-raised hover:text-ink disabled:opacity-40 ${rest.className ?? ''}`}
    >
      <Icon name={icon} />
    </button>
  )
}

/** `what` completes the label for screen readers, where several buttons stand together. */
export function CopyButton({ text, what }: { text: string; what?: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1_500)
  }
  return (
    <Button look="quiet" icon={copied ? 'check' : 'copy'} onClick={copy}>
      <span aria-live="polite">
        {copied ? 'Copied' : 'Copy'}
        {what !== undefined && <span className="sr-only"> {what}</span>}
      </span>
    </Button>
  )
}
