// Navigation between pages: a sidebar on wide screens, a bottom bar on phones.
import { useState } from 'react'
import { useToday } from '../api/today.ts'
import type { Session } from '../api/types.ts'
import { API_BASE, BASE } from '../base.ts'
import { Link, type PageName } from '../router.tsx'
import { IconButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Icon, Mark } from '../ui/icons.tsx'
import { Clocks } from './clocks.tsx'
import { ConnectionStatus } from './connection-status.tsx'
import { entriesOf } from './pages.ts'
import { SignOut } from './sign-in.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

type NavigationProps = { session: Session; page: PageName | null; onHelp: () => void; onFind: () => void }

function FailedCount() {
  const failed = useToday().data?.counts.failed24h ?? 0
  if (failed === 0) return null
  return (
    <span className="ml-auto rounded-full bg-failed-wash px-1.5 text-2xs text-failed leading-4">
      {failed.toLocaleString('en')}
      <span className="sr-only"> failed in the last 24 hours and not retried since</span>
    </span>
  )
}

/** The documentation, which the build puts beside the dashboard, and the reference of the API. */
function DocsLinks() {
  return (
    <>
      <a href={`${BASE}docs/index.html`} className="underline hover:text-ink">
        Docs
      </a>
      <a href={`${API_BASE}/docs`} className="underline hover:text-ink">
        API
      </a>
    </>
  )
}

/** As the keyboard of this machine has it. */
const FIND_KEY = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘K' : 'Ctrl K'

export function Rail({ session, page, onHelp, onFind }: NavigationProps) {
  const tzVersion = useToday().data?.tzVersion
  return (
    <header className="sticky top-0 flex h-dvh w-52 shrink-0 flex-col border-line border-r px-3 py-4 max-md:hidden">
      <Link to="today" className="flex items-center gap-2.5 px-2">
        <Mark />
        <span className="font-serif text-xl tracking-tight">Terce</span>
      </Link>
      <button
        type="button"
        onClick={onFind}
        className="mt-4 flex h-8 items-center gap-2.5 rounded-md border border-line px-2 text-soft hover:bg-raised hover:text-ink"
      >
        <Icon name="search" />
        Search
        <kbd className="ml-auto font-mono text-2xs">{FIND_KEY}</kbd>
      </button>
      <nav aria-label="Pages" className="mt-4 flex flex-col gap-0.5">
        {entriesOf(session).map((entry) => (
          <Link
            key={entry.page}
            to={entry.page}
            aria-current={entry.page === page ? 'page' : undefined}
            className="group flex h-8 items-center gap-2.5 rounded-md px-2 text-soft hover:bg-raised hover:text-ink aria-[current]:bg-raised aria-[current]:font-medium aria-[current]:text-ink"
          >
            <span className="group-aria-[current]:text-accent">
              <Icon name={entry.page} />
            </span>
            {entry.label}
            {entry.page === 'failures' && <FailedCount />}
          </Link>
        ))}
      </nav>
      <div className="mt-auto space-y-3 px-2">
        <Clocks />
        <div className="flex flex-wrap gap-x-3 text-soft text-xs">
          <ConnectionStatus />
          {tzVersion !== undefined && <span data-tip="IANA time zone data release">tz {tzVersion}</span>}
        </div>
        <div className="-mx-2 flex items-center">
          <ThemeSwitch />
          <IconButton label="Keyboard shortcuts" icon="help" onClick={onHelp} />
          {session.hasSession && <SignOut />}
          <span className="ml-auto flex gap-3 pr-2 text-soft text-xs">
            <DocsLinks />
          </span>
        </div>
      </div>
    </header>
  )
}

const IN_BAR: readonly PageName[] = ['today', 'people', 'messages', 'failures', 'inbox']

export function Bar({ session, page, onFind }: NavigationProps) {
  const [more, setMore] = useState(false)
  const entries = entriesOf(session)
  const inBar = entries.filter((entry) => IN_BAR.includes(entry.page))
  const rest = entries.filter((entry) => !inBar.includes(entry))
  const look =
    'flex flex-1 flex-col items-center gap-0.5 py-2 text-2xs text-soft aria-[current]:font-medium aria-[current]:text-accent'
  return (
    <>
      <nav
        aria-label="Pages"
        className="fixed inset-x-0 bottom-0 z-30 flex border-line border-t bg-panel pb-[env(safe-area-inset-bottom)] md:hidden"
      >
        {inBar.map((entry) => (
          <Link
            key={entry.page}
            to={entry.page}
            aria-current={entry.page === page ? 'page' : undefined}
            className={look}
          >
            <Icon name={entry.page} size={18} />
            {entry.label}
          </Link>
        ))}
        <button
          type="button"
          onClick={() => setMore(true)}
          aria-current={rest.some((entry) => entry.page === page) ? 'page' : undefined}
          className={look}
        >
          <Icon name="more" size={18} />
          More
        </button>
      </nav>
      {more && (
        <Dialog title="Terce" onClose={() => setMore(false)}>
          <div className="-mx-2 -mt-2 flex flex-col">
            <button
              type="button"
              onClick={() => {
                setMore(false)
                onFind()
              }}
              className="flex items-center gap-3 rounded-md px-2 py-3 text-base hover:bg-raised"
            >
              <Icon name="search" />
              Search
            </button>
            {rest.map((entry) => (
              <Link
                key={entry.page}
                to={entry.page}
                onClick={() => setMore(false)}
                className="flex items-center gap-3 rounded-md px-2 py-3 text-base hover:bg-raised"
              >
                <Icon name={entry.page} />
                {entry.label}
              </Link>
            ))}
          </div>
          <div className="mt-3 flex items-center justify-between border-line border-t pt-3">
            <Clocks />
            <div className="flex items-center gap-2 text-soft text-xs">
              <DocsLinks />
              <ConnectionStatus />
              <ThemeSwitch />
              {session.hasSession && <SignOut />}
            </div>
          </div>
        </Dialog>
      )}
    </>
  )
}
