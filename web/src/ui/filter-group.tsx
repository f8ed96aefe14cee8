// The filters of a list: side by side, and behind one button on phones.
import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'

/** `active` is how many of the filters are set. */
export function FilterGroup({ active, children }: { active: number; children: ReactNode }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button className="md:hidden" aria-expanded={open} onClick={() => setOpen(!open)}>
        Filters{active > 0 && ` (${active})`}
      </Button>
      <div className={open ? 'contents' : 'contents max-md:hidden'}>{children}</div>
    </>
  )
}
