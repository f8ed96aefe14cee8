// Calendar feeds: what is to come, in anybody's calendar program, by an address that is a secret.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { createFeed, deleteFeed, useFeeds } from '../api/inbox.ts'
import { KEYS } from '../api/keys-of-queries.ts'
import { Ago } from '../clock/their-time.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { Code } from '../ui/code.tsx'
import { Answered, Panel } from '../ui/panel.tsx'
import { complain } from '../ui/toast.tsx'

export function Feeds() {
  const feeds = useFeeds()
  const client = useQueryClient()
  const renew = () => client.invalidateQueries({ queryKey: KEYS.feeds })
  const creating = useMutation({ mutationFn: () => createFeed(null), onError: complain, onSettled: renew })
  const deleting = useMutation({ mutationFn: deleteFeed, onError: complain, onSettled: renew })
  const make = (
    <Button icon="plus" busy={creating.isPending} onClick={() => creating.mutate()}>
      New address
    </Button>
  )
  return (
    <Panel title="In your calendar" aside={make}>
      <div className="space-y-3">
        <p className="text-soft">
          An iCalendar address shows what is to come in any calendar program. Whoever has it can read it, so
          it is shown once and can be taken back.
        </p>
        {creating.data !== undefined && (
          <Code label="Subscribe to this; it is not shown again">
            {new URL(creating.data.url, location.origin).href}
          </Code>
        )}
        <Answered of={feeds} rows={1}>
          {({ items }) => (
            <ul className="space-y-1">
              {items.map(({ id, userId, createdAt }) => (
                <li key={id} className="flex items-center justify-between">
                  <span>
                    {userId === null ? 'Everybody' : 'One person'}, made <Ago at={createdAt} utc />
                  </span>
                  <IconButton label="Take back" icon="trash" onClick={() => deleting.mutate(id)} />
                </li>
              ))}
            </ul>
          )}
        </Answered>
      </div>
    </Panel>
  )
}
