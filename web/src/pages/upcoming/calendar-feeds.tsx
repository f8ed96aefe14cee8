// Calendar feeds: secret links to upcoming messages for calendar apps.
import { KEYS } from '../../api/query-keys.ts'
import { createFeed, deleteFeed, useFeeds } from '../../api/settings.ts'
import { Ago } from '../../clock/local-time.tsx'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { DeleteButton } from '../../ui/delete-button.tsx'
import { Loaded, Panel } from '../../ui/panel.tsx'

export function CalendarFeeds() {
  const feeds = useFeeds()
  const refetches = [KEYS.feeds]
  const creating = useAction(() => createFeed(null), { refetches })
  const deleting = useAction(deleteFeed, { says: 'Calendar link revoked.', refetches })
  const make = (
    <Button icon="plus" busy={creating.isPending} onClick={() => creating.mutate()}>
      New calendar link
    </Button>
  )
  return (
    <Panel title="Calendar feed" aside={make}>
      <div className="space-y-3">
        <p className="text-soft">
          Subscribe to upcoming messages in any calendar app. Anyone with the link can read it. It is shown
          once, and you can revoke it.
        </p>
        {creating.data !== undefined && (
          <Code label="Calendar link (shown once)">{new URL(creating.data.url, location.origin).href}</Code>
        )}
        <Loaded query={feeds} rows={1}>
          {({ items }) => (
            <ul className="space-y-1">
              {items.map(({ id, userId, createdAt }) => (
                <li key={id} className="flex items-center justify-between">
                  <span>
                    {userId === null ? 'All people' : 'One person'}, created <Ago at={createdAt} utc />
                  </span>
                  <DeleteButton
                    label="Revoke"
                    title="Revoke calendar link?"
                    action="Revoke"
                    busy={deleting.isPending}
                    onConfirm={() => deleting.mutate(id)}
                  >
                    <p>Calendar apps that use this link stop receiving messages.</p>
                  </DeleteButton>
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      </div>
    </Panel>
  )
}
