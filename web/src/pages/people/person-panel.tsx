// Side panel of a person: details, history, occasions and tasks.

import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { fullName } from '../../../../src/domain/users/full-name.ts'
import { isNotFound } from '../../api/client.ts'
import { useUser } from '../../api/people.ts'
import type { User } from '../../api/types.ts'
import { Dial } from '../../clock/dial.tsx'
import { cityOf, offsetText, wallIn } from '../../clock/format.ts'
import { useNow } from '../../clock/now.ts'
import { StoppedChannels } from '../../shell/stopped-channels.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Empty, Loaded } from '../../ui/panel.tsx'
import { deleteWithUndo, useHiddenPeople } from './delete-person.ts'
import { EditPerson } from './edit-person.tsx'
import { History } from './history.tsx'
import { Occasions } from './occasions.tsx'
import { Tasks } from './tasks.tsx'

export function PersonPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const user = useUser(id)
  const ref = useRef<HTMLElement>(null)
  const isHidden = useHiddenPeople().has(id)
  useEffect(() => {
    if (isHidden) onClose()
  }, [isHidden, onClose])
  useEffect(() => ref.current?.focus(), [])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      if (document.querySelector('dialog[open]') === null) onClose()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [onClose])
  const isGone = isNotFound(user.error)
  return (
    <aside
      ref={ref}
      tabIndex={-1}
      aria-label="Person"
      className="fixed inset-y-0 right-0 z-40 w-full overflow-y-auto border-line border-l bg-ground shadow-float outline-none md:w-[30rem]"
    >
      <div className="absolute top-3 right-3 z-10">
        <IconButton label="Close" icon="close" onClick={onClose} />
      </div>
      {isGone ? (
        <Empty title="Person not found.">They may have been deleted.</Empty>
      ) : (
        <Loaded query={user} rows={8}>
          {(data) => <Person user={data} />}
        </Loaded>
      )}
    </aside>
  )
}

function Person({ user }: { user: User }) {
  const [editing, setEditing] = useState(false)
  const client = useQueryClient()
  return (
    <div className="space-y-6 p-6 pb-24 md:pb-6">
      <header className="pr-10">
        <h2 className="font-serif text-2xl leading-tight">{fullName(user)}</h2>
        <TheirClock timezone={user.timezone} />
      </header>
      <StoppedChannels />
      {editing ? (
        <EditPerson user={user} onClose={() => setEditing(false)} />
      ) : (
        <>
          <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
            {user.dateOfBirth !== null && <Fact label="Date of birth">{user.dateOfBirth}</Fact>}
            <Fact label="Time zone">{user.timezone}</Fact>
            <Fact label="Email">{user.email ?? '–'}</Fact>
            {user.language !== null && <Fact label="Language">{user.language}</Fact>}
            {user.externalId !== null && <Fact label="External id">{user.externalId}</Fact>}
            <Fact label="Id">
              <span className="font-mono text-xs">{user.id}</span>
            </Fact>
          </dl>
          <div className="flex flex-wrap gap-2">
            <Button icon="edit" onClick={() => setEditing(true)}>
              Edit
            </Button>
            <Button look="danger" icon="trash" onClick={() => deleteWithUndo(client, user)}>
              Delete
            </Button>
          </div>
        </>
      )}
      <History user={user} />
      <Occasions user={user} />
      <Tasks user={user} />
    </div>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-soft">{label}</dt>
      <dd>{children}</dd>
    </>
  )
}

function TheirClock({ timezone }: { timezone: string }) {
  const { timeWithSeconds, day, minuteOfDay, offsetMinutes } = wallIn(useNow(), timezone)
  return (
    <p className="mt-2 flex items-center gap-3">
      <Dial minuteOfDay={minuteOfDay} size={34} />
      <span className="leading-tight">
        <span className="font-medium text-base">{timeWithSeconds}</span> {day}
        <br />
        <span className="text-soft">
          in {cityOf(timezone)}, {offsetText(offsetMinutes)}
        </span>
      </span>
    </p>
  )
}
