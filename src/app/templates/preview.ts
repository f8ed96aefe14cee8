// Renders a template for a person's next occurrence. Stores nothing and sends nothing.

import { type RenderedMail, renderMail } from '../../domain/messages/message.ts'
import type { MessageEvent } from '../../domain/messages/message-variables.ts'
import { type CpuClock, renderWithin } from '../../domain/messages/render-budget.ts'
import type { TemplateText } from '../../domain/messages/template.ts'
import type { Occasion } from '../../domain/occasions/occasion.ts'
import { TASK_REMINDER, type Task } from '../../domain/tasks/task.ts'
import { DAY_MS } from '../../domain/time/calendar.ts'
import type { DateOfBirth } from '../../domain/users/date-of-birth.ts'
import type { User } from '../../domain/users/user.ts'
import { type Planner, planFirst } from '../../engine/plan.ts'

export function previewText(
  planner: Planner,
  text: TemplateText,
  of: { user: User; occasion: Occasion; lateBySeconds: number; now: number; clock: CpuClock },
): RenderedMail {
  const { user, now } = of
  // Also for an occasion that is paused or over: only the text is previewed.
  const occasion = {
    ...of.occasion,
    pausedAt: null,
    until: null,
    repeats: 'YEARLY',
    calendar: 'gregorian' as const,
  }
  const task = of.occasion.type === TASK_REMINDER ? sampleTask(user, now) : null
  // Without a date of birth the text is that of a birthday today.
  const dateOfBirth = user.dateOfBirth ?? (`-${new Date(now).toISOString().slice(4, 10)}` as DateOfBirth)
  const schedule = { occasion, user: { ...user, dateOfBirth }, task }
  const event: MessageEvent = {
    ...planFirst(planner, schedule, { now, after: null })!,
    eventType: occasion.type,
    occasion,
    task,
  }
  const facts = {
    event,
    person: user,
    now: event.targetAt + of.lateBySeconds * 1000,
    table: planner.table,
  }
  const source = { ...text, from: 'the template', isStored: false }
  return renderWithin(of.clock, (budget) => renderMail(facts, source, budget))
}

function sampleTask(user: User, now: number): Task {
  return {
    id: user.id,
    userId: user.id,
    title: 'Renew the passport',
    dueAt: now + 2 * DAY_MS,
    dueRevision: 1,
    remindBeforeMs: DAY_MS,
    quietHours: null,
    data: null,
    completedAt: null,
    reminderSentAt: null,
    createdAt: now,
    updatedAt: now,
    version: 1,
  }
}
