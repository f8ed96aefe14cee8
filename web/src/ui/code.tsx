// Code and JSON with a copy button.
import { CopyButton } from './button.tsx'

type CodeProps = {
  children: string
  label: string
  copy?: boolean
  /** For a single word, such as a secret. */
  wraps?: boolean
}

const PRE = 'max-h-96 overflow-auto p-3 font-mono text-xs leading-relaxed'

export function Code({ children, label, copy = true, wraps = false }: CodeProps) {
  return (
    <figure className="relative overflow-hidden rounded-md border border-line bg-ground">
      <figcaption className="flex min-h-8 items-center justify-between border-line border-b pr-1 pl-3 text-soft text-xs">
        {label}
        {copy && <CopyButton text={children} />}
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
      <pre tabIndex={0} className={wraps ? `${PRE} whitespace-pre-wrap break-all` : PRE}>
        {children}
      </pre>
    </figure>
  )
}

/** Indents JSON; leaves other text alone. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
