// The pages with their labels, shortcut keys and icons.
import type { Session } from '../api/types.ts'
import type { PageName } from '../router.tsx'
import type { IconName } from '../ui/icons.tsx'

type PageEntry = { page: PageName & IconName; label: string; key: string }

export const PAGE_ENTRIES: readonly PageEntry[] = [
  { page: 'today', label: 'Today', key: 't' },
  { page: 'people', label: 'People', key: 'p' },
  { page: 'messages', label: 'Messages', key: 'e' },
  { page: 'failures', label: 'Failures', key: 'f' },
  { page: 'upcoming', label: 'Upcoming', key: 'u' },
  { page: 'ledger', label: 'Ledger', key: 'l' },
  { page: 'inbox', label: 'Inbox', key: 'i' },
  { page: 'settings', label: 'Settings', key: 's' },
]

/** The inbox exists in development only. */
export function entriesOf({ inbox }: Session): readonly PageEntry[] {
  return PAGE_ENTRIES.filter(({ page }) => page !== 'inbox' || inbox)
}
