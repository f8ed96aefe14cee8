// Rows of a list that are selected by their checkboxes, or all that match a filter.
import { useState } from 'react'

export type Selection = ReturnType<typeof useSelection>

type Selected = { scope: string; ids: ReadonlySet<string>; isAll: boolean }

/** `scope` names the list, such as its filter: in another scope nothing is selected. */
export function useSelection(scope: string) {
  const [kept, setKept] = useState<Selected>({ scope, ids: new Set(), isAll: false })
  const { ids, isAll }: Omit<Selected, 'scope'> =
    kept.scope === scope ? kept : { ids: new Set(), isAll: false }
  const set = (next: Iterable<string>) => setKept({ scope, ids: new Set(next), isAll: false })
  return {
    ids,
    /** All that match, also on other pages. */
    isAll,
    isEmpty: ids.size === 0 && !isAll,
    has: (id: string) => isAll || ids.has(id),
    clear: () => set([]),
    selectAll: () => setKept({ scope, ids: new Set(), isAll: true }),
    /** `page` is what the reader sees: of all that match, only the others on the page stay selected. */
    toggle: (id: string, page: readonly string[]) => {
      const before = isAll ? new Set(page) : ids
      set(before.has(id) ? [...before].filter((other) => other !== id) : [...before, id])
    },
    togglePage: (page: readonly string[]) => {
      const isWhole = isAll || page.every((id) => ids.has(id))
      set(isWhole ? [...ids].filter((id) => !page.includes(id)) : [...ids, ...page])
    },
  }
}

type BoxProps = { selection: Selection; page: readonly string[] }

export function SelectPage({ selection, page }: BoxProps) {
  const chosen = page.filter(selection.has).length
  return (
    <input
      type="checkbox"
      aria-label="Select all on this page"
      checked={page.length > 0 && chosen === page.length}
      ref={(box) => {
        if (box !== null) box.indeterminate = chosen > 0 && chosen < page.length
      }}
      onChange={() => selection.togglePage(page)}
      className="size-4 shrink-0 accent-accent-fill"
    />
  )
}

export function SelectRow({ selection, page, id, label }: BoxProps & { id: string; label: string }) {
  return (
    <input
      type="checkbox"
      aria-label={`Select ${label}`}
      checked={selection.has(id)}
      onChange={() => selection.toggle(id, page)}
      className="size-4 shrink-0 accent-accent-fill"
    />
  )
}
