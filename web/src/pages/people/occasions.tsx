// Occasions of a person.
import { useState } from 'react'
import { occasionInWords } from '../../../../src/domain/occasions/rule-in-words.ts'
import { parseShift } from '../../../../src/domain/occasions/send-day.ts'
import { deleteOccasion, switchOccasion, useOccasions } from '../../api/occasions.ts'
import { KEYS } from '../../api/query-keys.ts'
import type { Occasion, User } from '../../api/types.ts'
import { noNextText, typeText } from '../../clock/format.ts'
import { LocalTime } from '../../clock/local-time.tsx'
import { useAction } from '../../ui/action.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { DeleteButton } from '../../ui/delete-button.tsx'
import { Badge, Loaded } from '../../ui/panel.tsx'
import { Section } from '../../ui/section.tsx'
import { OccasionForm } from './occasion-form/occasion-form.tsx'

export function Occasions({ user }: { user: User }) {
  const occasions = useOccasions(user.id)
  const [adding, setAdding] = useState(false)
  const add = (
    <Button look="quiet" icon="plus" onClick={() => setAdding(true)}>
      Add
    </Button>
  )
  return (
    <Section title="Occasions" aside={add}>
      <Loaded query={occasions} rows={2}>
        {({ items }) => (
          <ul className="space-y-2">
            {items.map((occasion) => (
              <Item key={occasion.id} occasion={occasion} user={user} />
            ))}
          </ul>
        )}
      </Loaded>
      {adding && (
        <div className="mt-3">
          <OccasionForm user={user} onClose={() => setAdding(false)} />
        </div>
      )}
    </Section>
  )
}

/** The rule in words, such as `every year on 29 February at 09:00 local time`. */
function scheduleText(occasion: Occasion, { dateOfBirth }: User): string {
  const shiftDays = occasion.shift === null ? null : parseShift(occasion.shift)
  return occasionInWords({ ...occasion, shiftDays, date: occasion.date ?? dateOfBirth })
}

function Item({ occasion, user }: { occasion: Occasion; user: User }) {
  const [editing, setEditing] = useState(false)
  const refetches = [KEYS.user(user.id)]
  const isPaused = occasion.pausedAt !== null
  const switching = useAction(() => switchOccasion(occasion.id, isPaused ? 'resume' : 'pause'), {
    says: isPaused ? 'Resumed. Missed messages are not sent.' : 'Paused.',
    refetches,
  })
  const deleting = useAction(() => deleteOccasion(occasion.id), { says: 'Occasion deleted.', refetches })
  if (editing) {
    return (
      <li>
        <OccasionForm user={user} occasion={occasion} onClose={() => setEditing(false)} />
      </li>
    )
  }
  const isOwn = occasion.type === 'BIRTHDAY' && occasion.date === null
  return (
    <li className="flex items-start justify-between gap-2">
      <div className="min-w-0">
        <p>
          <span className="font-medium">{typeText(occasion.type)}</span>{' '}
          <span className="text-soft">{scheduleText(occasion, user)}</span>{' '}
          {isPaused && <Badge tone="accent">paused</Badge>}
        </p>
        {occasion.nextReason !== null && !isPaused && (
          <p className="text-soft">{noNextText(occasion.nextReason)}</p>
        )}
        {occasion.next !== null && (
          <LocalTime
            at={occasion.next.targetTimestampUTC}
            local={occasion.next.targetTimestampLocal}
            timezone={user.timezone}
            place={false}
          />
        )}
      </div>
      <div className="flex shrink-0">
        <IconButton label={`Edit ${typeText(occasion.type)}`} icon="edit" onClick={() => setEditing(true)} />
        <IconButton
          label={isPaused ? 'Resume' : 'Pause'}
          icon={isPaused ? 'play' : 'pause'}
          disabled={switching.isPending}
          onClick={() => switching.mutate()}
        />
        {!isOwn && (
          <DeleteButton
            label="Delete"
            title={`Delete ${typeText(occasion.type)}?`}
            busy={deleting.isPending}
            onConfirm={() => deleting.mutate()}
          >
            <p>
              This also deletes its events, including sent ones. To stop it for a while, pause it instead.
            </p>
          </DeleteButton>
        )}
      </div>
    </li>
  )
}
