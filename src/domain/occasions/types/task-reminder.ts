// Reminds of a task that is about to fall due.
import { reminders } from '../../tasks/reminder.ts'
import { TASK_REMINDER } from '../../tasks/task.ts'
import type { OccasionType } from './occasion-type.ts'

export const taskReminder: OccasionType = {
  type: TASK_REMINDER,
  series: reminders,
  text: 'Hey, {{ firstName }} {{ lastName }} "{{ title }}" is due on {{ dueDate }} at {{ dueTime }}',
  belatedText: null,
  belongsTo: 'task',
}
