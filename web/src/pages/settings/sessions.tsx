// Browsers that are signed in: list, revoke.
import { KEYS } from '../../api/query-keys.ts'
import { revokeSession, useSessions } from '../../api/session.ts'
import type { ListedSession } from '../../api/settings-types.ts'
import { Ago } from '../../clock/local-time.tsx'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Badge, Empty, Loaded, Panel } from '../../ui/panel.tsx'

export function Sessions() {
  const sessions = useSessions()
  return (
    <Panel title="Signed-in browsers" aside="Signed out after 12 hours without activity, or 30 days" flush>
      <Loaded query={sessions} rows={2}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No browser is signed in." />
          ) : (
            <ul aria-label="Signed-in browsers" className="divide-y divide-line">
              {inOrder(items).map((session) => (
                <Item key={session.id} session={session} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  )
}

/** This browser first, then the latest used. */
function inOrder(sessions: readonly ListedSession[]): ListedSession[] {
  const byUse = (a: ListedSession, b: ListedSession) => b.lastUsedAt.localeCompare(a.lastUsedAt)
  return [...sessions].sort((a, b) => Number(b.current) - Number(a.current) || byUse(a, b))
}

function Item({ session }: { session: ListedSession }) {
  const { id, keyName, scope, userAgent, createdAt, lastUsedAt, current } = session
  const ending = useAction(() => revokeSession(id), {
    says: 'Browser signed out.',
    refetches: [KEYS.sessions],
  })
  return (
    <li className="flex flex-wrap items-center justify-between gap-2 px-4 py-3">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium" data-tip={userAgent ?? undefined}>
            {browserName(userAgent)}
          </span>
          <Badge>{scope}</Badge>
          {current && <Badge tone="sent">this browser</Badge>}
        </p>
        <p className="text-soft text-xs">
          key “{keyName}”, signed in <Ago at={createdAt} />, last used <Ago at={lastUsedAt} />
        </p>
      </div>
      {!current && (
        <Button look="danger" busy={ending.isPending} onClick={() => ending.mutate()}>
          Sign out
        </Button>
      )}
    </li>
  )
}

const BROWSERS = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\b(Headless)?Chrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const
const SYSTEMS = [
  [/\bAndroid\b/, 'Android'],
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const

/** `Firefox on Linux`, as far as the browser says so. */
function browserName(userAgent: string | null): string {
  const find = (table: readonly (readonly [RegExp, string])[]) =>
    table.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  const browser = find(BROWSERS)
  const system = find(SYSTEMS)
  if (browser === undefined) return userAgent?.slice(0, 40) ?? 'Unknown browser'
  return system === undefined ? browser : `${browser} on ${system}`
}
