// A titled section of a side panel.
import type { ReactNode } from 'react'

export function Section({
  title,
  aside,
  children,
}: {
  title: string
  aside?: ReactNode
  children: ReactNode
}) {
  return (
    <section>
      <header className="mb-2 flex min-h-8 items-center justify-between border-line border-b">
        <h3 className="font-medium">{title}</h3>
        {aside}
      </header>
      {children}
    </section>
  )
}
