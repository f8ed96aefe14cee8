// The frame around every page, and the choice of the page.
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense, useEffect } from 'react'
import { statusOf, whenSignedOut } from './api/client.ts'
import { useConnection } from './api/connection.ts'
import { CREATE_FIRST_KEY, KEYS } from './api/query-keys.ts'
import { useSession } from './api/session.ts'
import { TODAY } from './api/today.ts'
import type { Session } from './api/types.ts'
import { Link, type PageName, type Route, readRoute, usePathname, useRoute } from './router.tsx'
import { ConnectionNotice } from './shell/connection-status.tsx'
import { KeyboardHelp, useKeyboard } from './shell/keyboard.tsx'
import { Bar, Rail } from './shell/navigation.tsx'
import { PAGE_ENTRIES } from './shell/pages.ts'
import { SignIn } from './shell/sign-in.tsx'
import { StoppedChannels } from './shell/stopped-channels.tsx'
import { buttonClass } from './ui/button.tsx'
import { ErrorBoundary } from './ui/error-boundary.tsx'
import { Empty, LoadError, Loading } from './ui/panel.tsx'
import { Toasts } from './ui/toast.tsx'
import { Tooltip } from './ui/tooltip.tsx'

type PageComponent = ComponentType<{ id: string | null; session: Session }>

const LOADERS: Record<PageName, () => Promise<{ default: PageComponent }>> = {
  today: () => import('./pages/today/today.tsx').then(({ Today }) => ({ default: Today })),
  people: () => import('./pages/people/people.tsx').then(({ People }) => ({ default: People })),
  messages: () => import('./pages/messages/messages.tsx').then(({ Messages }) => ({ default: Messages })),
  event: () => import('./pages/event/event.tsx').then(({ EventPage }) => ({ default: EventPage })),
  failures: () => import('./pages/failures/failures.tsx').then(({ Failures }) => ({ default: Failures })),
  upcoming: () => import('./pages/upcoming/upcoming.tsx').then(({ Upcoming }) => ({ default: Upcoming })),
  ledger: () => import('./pages/ledger/ledger.tsx').then(({ Ledger }) => ({ default: Ledger })),
  settings: () => import('./pages/settings/settings.tsx').then(({ Settings }) => ({ default: Settings })),
  inbox: () => import('./pages/inbox/inbox.tsx').then(({ InboxPage }) => ({ default: InboxPage })),
}

// Loaded on first use.
const Find = lazy(() => import('./shell/find.tsx').then((module) => ({ default: module.Find })))

const VIEWS = Object.fromEntries(
  Object.entries(LOADERS).map(([name, load]) => [name, lazy(load)]),
) as unknown as Record<PageName, PageComponent>

/** Requests the code of the page and the figures of every page beside the session, not after it. */
export function preload(client: QueryClient): void {
  const route = readRoute(location.pathname)
  // An error is shown once the page is rendered.
  if (route !== null) LOADERS[route.page]().catch(() => {})
  void client.prefetchQuery(TODAY)
}

export function App() {
  const session = useSession()
  const client = useQueryClient()
  useEffect(() => {
    whenSignedOut(() => {
      const known = client.getQueryData<Session>(KEYS.session)
      if (
        known === undefined ||
        known.scope === null ||
        client.isMutating({ mutationKey: CREATE_FIRST_KEY }) > 0
      )
        return
      // The session decides, not the rejected request: it may have been sent before this browser signed in.
      void client.invalidateQueries({ queryKey: KEYS.session })
    })
  }, [client])
  const { data, error } = session
  if (statusOf(error) === 401) return <SignIn />
  if (data === undefined) {
    return (
      <main className="mx-auto max-w-xl p-6">
        {error === null ? <Loading /> : <LoadError error={error} retry={() => session.refetch()} />}
      </main>
    )
  }
  if (!data.open && data.scope === null) return <SignIn />
  return <Shell session={data} />
}

function Shell({ session }: { session: Session }) {
  const route = useRoute()
  const pathname = usePathname()
  const [opened, setOpened] = useKeyboard()
  const open = { onHelp: () => setOpened('help'), onFind: () => setOpened('find') }
  useEffect(() => {
    const label = PAGE_ENTRIES.find(({ page }) => page === route?.page)?.label ?? 'Event'
    document.title = `${label} · Terce`
  }, [route?.page])
  const page = route?.page ?? null
  const isOffline = useConnection() === 'unreachable'
  return (
    <div className="flex min-h-dvh">
      <a href="#main" className="sr-only focus:not-sr-only focus:fixed focus:z-50 focus:bg-panel focus:p-3">
        Skip to content
      </a>
      <Rail session={session} page={page} {...open} />
      <main
        id="main"
        tabIndex={-1}
        className="min-w-0 flex-1 px-4 pt-5 pb-24 outline-none md:px-7 md:pt-6 md:pb-12"
      >
        <div className="mx-auto max-w-[76rem]">
          {isOffline && <ConnectionNotice />}
          <div className={isOffline ? 'opacity-60' : ''}>
            <StoppedChannels />
            <ErrorBoundary resetKey={pathname}>
              <View route={route} session={session} />
            </ErrorBoundary>
          </div>
        </div>
      </main>
      <Bar session={session} page={page} {...open} />
      {opened === 'help' && <KeyboardHelp onClose={() => setOpened(null)} />}
      {opened === 'find' && (
        <Suspense>
          <Find session={session} onClose={() => setOpened(null)} />
        </Suspense>
      )}
      <Toasts />
      <Tooltip />
    </div>
  )
}

function View({ route, session }: { route: Route | null; session: Session }) {
  if (route === null) {
    const action = (
      <Link to="today" className={buttonClass()}>
        Go to Today
      </Link>
    )
    return (
      <Empty heading="h1" title="Page not found." action={action}>
        Check the URL.
      </Empty>
    )
  }
  const Page = VIEWS[route.page]
  return (
    <Suspense fallback={<Loading rows={8} />}>
      <Page key={route.page} id={route.id} session={session} />
    </Suspense>
  )
}
