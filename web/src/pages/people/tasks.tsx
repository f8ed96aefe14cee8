// Tasks of a person and their reminders.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { tzdb } from '../../../../src/domain/time/tzdb.ts'
import { messageOf, problemOf } from '../../api/client.ts'
import { changeTask, completeTask, createTask, deleteTask, useTasks } from '../../api/occasions.ts'
import { KEYS } from '../../api/query-keys.ts'
import type { Task, User } from '../../api/types.ts'
import { cityOf, wallIn } from '../../clock/format.ts'
import { Ago, LocalTime } from '../../clock/local-time.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Input, Select } from '../../ui/field.tsx'
import { Badge, Loaded } from '../../ui/panel.tsx'
import { Section } from '../../ui/section.tsx'
import { notify, notifyError } from '../../ui/toast.tsx'

export function Tasks({ user }: { user: User }) {
  const tasks = useTasks(user.id)
  const [adding, setAdding] = useState(false)
  const add = (
    <Button look="quiet" icon="plus" onClick={() => setAdding(true)}>
      Add
    </Button>
  )
  return (
    <Section title="Tasks" aside={add}>
      <Loaded query={tasks} rows={2}>
        {({ items }) =>
          items.length === 0 && !adding ? (
            <p className="text-soft">No tasks.</p>
          ) : (
            <ul className="space-y-2">
              {items.map((task) => (
                <Item key={task.id} task={task} user={user} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {adding && (
        <div className="mt-3">
          <TaskForm user={user} onClose={() => setAdding(false)} />
        </div>
      )}
    </Section>
  )
}

function Item({ task, user }: { task: Task; user: User }) {
  const [editing, setEditing] = useState(false)
  const client = useQueryClient()
  const renew = () => client.invalidateQueries({ queryKey: KEYS.user(user.id) })
  const completing = useMutation({
    mutationFn: () => completeTask(task.id),
    onSuccess: () => notify('Done. No more reminders.'),
    onError: notifyError,
    onSettled: renew,
  })
  const deleting = useMutation({
    mutationFn: () => deleteTask(task.id),
    onError: notifyError,
    onSettled: renew,
  })
  if (editing) {
    return (
      <li>
        <TaskForm user={user} task={task} onClose={() => setEditing(false)} />
      </li>
    )
  }
  return (
    <li className="flex items-start justify-between gap-2">
      <div className="min-w-0">
        <p className={`font-medium ${task.completed ? 'text-soft line-through' : ''}`}>{task.title}</p>
        <p className="flex flex-wrap items-center gap-x-2 text-soft">
          due <LocalTime at={task.dueAt} timezone={user.timezone} place={false} dial={false} />
          {task.reminderSentAt !== null && (
            <Badge tone="sent">
              reminded&nbsp;
              <Ago at={task.reminderSentAt} />
            </Badge>
          )}
        </p>
      </div>
      <div className="flex shrink-0">
        {!task.completed && (
          <>
            <IconButton label={`Complete ${task.title}`} icon="check" onClick={() => completing.mutate()} />
            <IconButton label={`Edit ${task.title}`} icon="edit" onClick={() => setEditing(true)} />
          </>
        )}
        <IconButton label={`Delete ${task.title}`} icon="trash" onClick={() => deleting.mutate()} />
      </div>
    </li>
  )
}

const WINDOWS = [
  ['PT1H', '1 hour before'],
  ['PT24H', '24 hours before'],
  ['P2D', '2 days before'],
  ['P7D', '7 days before'],
] as const

function TaskForm({ user, task, onClose }: { user: User; task?: Task; onClose: () => void }) {
  const [title, setTitle] = useState(task?.title ?? '')
  const [due, setDue] = useState(task === undefined ? '' : toLocalInput(task.dueAt, user.timezone))
  const [before, setBefore] = useState(task?.remindBefore ?? 'PT24H')
  const client = useQueryClient()
  const saving = useMutation({
    mutationFn: () => {
      const input = { title, dueAt: fromLocalInput(due, user.timezone), remindBefore: before }
      return task === undefined ? createTask(user.id, input) : changeTask(task.id, input)
    },
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: KEYS.user(user.id) })
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    saving.mutate()
  }
  return (
    <form onSubmit={submit} className="space-y-3 rounded-lg border border-line bg-panel p-4">
      <Input
        label="Title"
        required
        maxLength={200}
        value={title}
        onChange={({ target }) => setTitle(target.value)}
        problem={problemOf(saving.error, 'title')}
      />
      <div className="grid grid-cols-2 gap-3">
        <Input
          label={`Due (local time in ${cityOf(user.timezone)})`}
          type="datetime-local"
          required
          value={due}
          onChange={({ target }) => setDue(target.value)}
          problem={problemOf(saving.error, 'dueAt')}
        />
        <Select label="Reminder" value={before} onChange={({ target }) => setBefore(target.value)}>
          {WINDOWS.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
          {!WINDOWS.some(([value]) => value === before) && <option value={before}>{before}</option>}
        </Select>
      </div>
      {saving.error !== null && (
        <p role="alert" className="text-failed">
          {messageOf(saving.error)}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" type="submit" busy={saving.isPending}>
          {task === undefined ? 'Add task' : 'Save'}
        </Button>
      </div>
    </form>
  )
}

/** The local time as the value of a datetime-local input. */
function toLocalInput(instant: string, timezone: string): string {
  const { date, time } = wallIn(Date.parse(instant), timezone)
  return `${date}T${time}`
}

function fromLocalInput(local: string, timezone: string): string {
  const { instant } = tzdb.zone(timezone).instantOf(Date.parse(`${local}Z`))
  return new Date(instant).toISOString()
}
