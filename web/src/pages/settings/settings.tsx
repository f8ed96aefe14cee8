// The settings page and its tabs.
import type { Session } from '../../api/types.ts'
import { Link, SETTINGS_TABS, type SettingsTab } from '../../router.tsx'
import { PageTitle } from '../../ui/panel.tsx'
import { ApiKeys } from './api-keys.tsx'
import { AuditLog } from './audit-log.tsx'
import { Channels } from './channels.tsx'
import { DeliverySettings } from './delivery.tsx'
import { Environment } from './environment.tsx'
import { Templates } from './templates.tsx'
import { TimezoneData } from './timezone-data.tsx'

const LABELS: Record<SettingsTab, string> = {
  channels: 'Channels',
  templates: 'Templates',
  keys: 'API keys',
  audit: 'Audit log',
  environment: 'Environment',
  time: 'Time',
}

/** On a phone the tabs are wider than the screen. */
function intoView(tab: HTMLElement | null): void {
  tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

export function Settings({ id, session }: { id: string | null; session: Session }) {
  const tab = SETTINGS_TABS.find((one) => one === id) ?? 'channels'
  return (
    <>
      <PageTitle title="Settings">
        {session.version === '' ? 'Terce' : `Terce ${session.version}`}. Values from environment variables are
        read-only here.
      </PageTitle>
      <nav aria-label="Settings" className="mb-4 flex gap-1 overflow-x-auto border-line border-b">
        {SETTINGS_TABS.map((one) => (
          <Link
            key={one}
            to={`settings/${one}`}
            aria-current={one === tab ? 'page' : undefined}
            ref={one === tab ? intoView : undefined}
            className="-mb-px whitespace-nowrap border-transparent border-b-2 px-3 py-2 text-soft hover:text-ink aria-[current]:border-accent-fill aria-[current]:font-medium aria-[current]:text-ink"
          >
            {LABELS[one]}
          </Link>
        ))}
      </nav>
      {tab === 'channels' && <Channels session={session} />}
      {tab === 'templates' && <Templates />}
      {tab === 'keys' && <ApiKeys />}
      {tab === 'audit' && <AuditLog />}
      {tab === 'environment' && <Environment />}
      {tab === 'time' && (
        <div className="space-y-4">
          <TimezoneData />
          <DeliverySettings session={session} />
        </div>
      )}
    </>
  )
}
