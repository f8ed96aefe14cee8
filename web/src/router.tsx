// Routes and filters live in the URL. A thin layer over the History API.
import { type ComponentProps, type MouseEvent, useCallback, useSyncExternalStore } from 'react'
import { BASE } from './base.ts'

export const PAGES = [
  'today',
  'people',
  'messages',
  'event',
  'failures',
  'upcoming',
  'ledger',
  'settings',
  'inbox',
] as const
/** Each tab of the settings has its own address, such as `settings/keys`. */
export const SETTINGS_TABS = ['channels', 'templates', 'keys', 'audit', 'environment', 'time'] as const
export type SettingsTab = (typeof SETTINGS_TABS)[number]
export type PageName = (typeof PAGES)[number]
export type Route = { page: PageName; id: string | null }

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('popstate', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('popstate', listener)
  }
}

/** `to` is relative to the dashboard, such as `people/…?search=ada`. */
export function navigate(to: string, { replace = false } = {}): void {
  const url = BASE + to
  if (url === location.pathname + location.search) return
  history[replace ? 'replaceState' : 'pushState'](null, '', url)
  for (const listener of listeners) listener()
}

/** Null for an unknown page. */
export function readRoute(pathname: string): Route | null {
  if (`${pathname}/` === BASE || pathname === BASE) return { page: 'today', id: null }
  if (!pathname.startsWith(BASE)) return null
  const [page, id, ...more] = pathname.slice(BASE.length).replace(/\/$/, '').split('/')
  if (more.length > 0 || !PAGES.includes(page as PageName)) return null
  const isTab = page === 'settings' && SETTINGS_TABS.includes(id as SettingsTab)
  if ((page === 'event') !== (id !== undefined) && page !== 'people' && page !== 'ledger' && !isTab)
    return null
  if (id === undefined) return { page: page as PageName, id: null }
  const decoded = decode(id)
  return decoded === null ? null : { page: page as PageName, id: decoded }
}

/** Null for a malformed escape such as `%E0%A4%A`. */
function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}

export function usePathname(): string {
  return useSyncExternalStore(subscribe, () => location.pathname)
}

export function useRoute(): Route | null {
  return readRoute(usePathname())
}

/** The query string, with its question mark. */
export function useSearch(): string {
  return useSyncExternalStore(subscribe, () => location.search)
}

/** A filter in the query string. Empty means no filter. */
export function useParam(name: string): [string, (value: string) => void] {
  const search = useSearch()
  const set = useCallback((value: string) => setParams({ [name]: value }), [name])
  return [new URLSearchParams(search).get(name) ?? '', set]
}

type Navigation = {
  /** Another page than the current one. */
  page?: PageName
  /** Whether the browser's Back returns to the parameters before. */
  isEntry?: boolean
}

export function setParams(changes: Record<string, string>, { page, isEntry = false }: Navigation = {}): void {
  const params = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') params.delete(name)
    else params.set(name, value)
  }
  const query = params.toString()
  const path = page ?? location.pathname.slice(BASE.length)
  navigate(query === '' ? path : `${path}?${query}`, { replace: !isEntry })
}

type LinkProps = Omit<ComponentProps<'a'>, 'href'> & { to: string }

export function Link({ to, onClick, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    navigate(to)
  }
  return <a href={BASE + to} onClick={follow} {...rest} />
}
