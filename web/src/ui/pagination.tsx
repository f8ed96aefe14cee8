// First, Back and Next below a list whose cursor is in the URL.
import { type PageName, setParams } from '../router.tsx'
import { Button } from './button.tsx'

type PaginationProps = {
  /** The page of the list, if the path has more, such as the person beside it. */
  page?: PageName
  cursor: string
  next: string | null
}

export function Pagination({ page, cursor, next }: PaginationProps) {
  if (cursor === '' && next === null) return null
  // A history entry for each page: the browser's Back returns to the previous one too.
  const open = (to: string) => setParams({ cursor: to }, { ...(page && { page }), isEntry: true })
  const previous = sessionStorage.getItem(beforeKey(cursor))
  return (
    <nav aria-label="Pagination" className="flex justify-end gap-2 border-line border-t px-4 py-2">
      <Button disabled={cursor === ''} onClick={() => open('')}>
        First
      </Button>
      <Button disabled={cursor === '' || previous === null} icon="left" onClick={() => open(previous ?? '')}>
        Back
      </Button>
      <Button
        disabled={next === null}
        onClick={() => {
          sessionStorage.setItem(beforeKey(next ?? ''), cursor)
          open(next ?? '')
        }}
      >
        Next
      </Button>
    </nav>
  )
}

/** Where the cursor of the page before is kept, for each cursor that Next has opened. It survives a reload. */
function beforeKey(cursor: string): string {
  return `page before ${cursor}`
}
