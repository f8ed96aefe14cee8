// First, Back and Next below a list whose cursor is in the URL.
import { navigate, type PageName, setParams } from '../router.tsx'
import { Button } from './button.tsx'

type PaginationProps = { page: PageName; cursor: string; next: string | null }

export function Pagination({ page, cursor, next }: PaginationProps) {
  if (cursor === '' && next === null) return null
  // A history entry for each page, so that Back returns to the previous one.
  const open = () => {
    const params = new URLSearchParams(location.search)
    params.set('cursor', next ?? '')
    navigate(`${page}?${params}`)
  }
  return (
    <nav aria-label="Pagination" className="flex justify-end gap-2 border-line border-t px-4 py-2">
      <Button disabled={cursor === ''} onClick={() => setParams({ cursor: '' })}>
        First
      </Button>
      <Button disabled={cursor === ''} icon="left" onClick={() => history.back()}>
        Back
      </Button>
      <Button disabled={next === null} onClick={open}>
        Next
      </Button>
    </nav>
  )
}
