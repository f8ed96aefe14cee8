// The settings page and its tabs.
import type { Session } from '../../api/types.ts'
import { Link, useParam } from '../../router.tsx'
import { PageTitle } from '../../ui/panel.tsx'
import { ApiKeys } from './api-keys.tsx'
import { AuditLog } from './audit-log.tsx'
import { Channels } from './channels.tsx'
import { DeliverySettings } from './delivery.tsx'
import { Templates } from './templates.tsx'
import { TimezoneData } from './timezone-data.tsx'

const TABS = [
  { tab: 'channels', label: 'Channels' },
  { tab: 'templates', label: 'Templates' },
  { tab: 'keys', label: 'API keys' },
  { tab: 'audit', label: 'Audit log' },
  { tab: 'time', label: 'Time' },
] as const

export function Settings({ session }: { session: Session }) {
  const [chosen] = useParam('tab')
  const tab = TABS.find((one) => one.tab === chosen)?.tab ?? 'channels'
  return (
    <>
      <PageTitle title="Settings">
        {session.version === '' ? 'Terce' : `Terce ${session.version}`}. Values from environment variables are
        read-only here.
      </PageTitle>
      <nav aria-label="Settings" className="mb-4 flex gap-1 overflow-x-auto border-line border-b">
        {TABS.map((one) => (
          <Link
            key={one.tab}
            to={`settings?tab=${one.tab}`}
            aria-current={one.tab === tab ? 'page' : undefined}
            className="-mb-px whitespace-nowrap border-transparent border-b-2 px-3 py-2 text-soft hover:text-ink aria-[current]:border-accent-fill aria-[current]:font-medium aria-[current]:text-ink"
          >
            {one.label}
          </Link>
        ))}
      </nav>
      {tab === 'channels' && <Channels />}
      {tab === 'templates' && <Templates />}
      {tab === 'keys' && <ApiKeys />}
      {tab === 'audit' && <AuditLog />}
      {tab === 'time' && (
        <div className="space-y-4">
          <TimezoneData />
          <DeliverySettings session={session} />
        </div>
      )}
    </>
  )
}
