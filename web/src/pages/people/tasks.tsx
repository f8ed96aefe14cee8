// Tasks of a person and their reminders.
import { type FormEvent, useState } from 'react'
import { tzdb } from '../../../../src/domain/time/tzdb.ts'
import { changeTask, completeTask, createTask, deleteTask, useTasks } from '../../api/occasions.ts'
import { KEYS } from '../../api/query-keys.ts'
import type { Task, User } from '../../api/types.ts'
import { cityOf, wallIn } from '../../clock/format.ts'
import { Ago, LocalTime } from '../../clock/local-time.tsx'
import { useAction } from '../../ui/action.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { DeleteButton } from '../../ui/delete-button.tsx'
import { Input, Select } from '../../ui/field.tsx'
import { useFields } from '../../ui/form.ts'
import { FormError } from '../../ui/form-error.tsx'
import { Badge, Loaded } from '../../ui/panel.tsx'
import { Section } from '../../ui/section.tsx'

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
  const refetches = [KEYS.user(user.id)]
  const completing = useAction(() => completeTask(task.id), { says: 'Done. No more reminders.', refetches })
  const deleting = useAction(() => deleteTask(task.id), { says: 'Task deleted.', refetches })
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
        <DeleteButton
          label={`Delete ${task.title}`}
          title="Delete task?"
          busy={deleting.isPending}
          onConfirm={() => deleting.mutate()}
        >
          <p>“{task.title}” and its reminder are deleted.</p>
        </DeleteButton>
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
  const [fields, setFields] = useState({
    title: task?.title ?? '',
    dueAt: task === undefined ? '' : toLocalInput(task.dueAt, user.timezone),
    remindBefore: task?.remindBefore ?? 'PT24H',
  })
  const saving = useAction(
    () => {
      const input = { ...fields, dueAt: fromLocalInput(fields.dueAt, user.timezone) }
      return task === undefined ? createTask(user.id, input) : changeTask(task.id, input)
    },
    { showsError: true, refetches: [KEYS.user(user.id)], onSuccess: onClose },
  )
  const { field, formProblem } = useFields(fields, setFields, saving.error)
  const { remindBefore } = fields
  const submit = (event: FormEvent) => {
    event.preventDefault()
    saving.mutate()
  }
  return (
    <form onSubmit={submit} className="space-y-3 rounded-lg border border-line bg-panel p-4">
      <Input label="Title" required maxLength={200} {...field('title')} />
      <div className="grid grid-cols-2 gap-3">
        <Input
          label={`Due (local time in ${cityOf(user.timezone)})`}
          type="datetime-local"
          required
          {...field('dueAt')}
        />
        <Select label="Reminder" {...field('remindBefore')}>
          {WINDOWS.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
          {!WINDOWS.some(([value]) => value === remindBefore) && (
            <option value={remindBefore}>{remindBefore}</option>
          )}
        </Select>
      </div>
      <FormError text={formProblem} />
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
