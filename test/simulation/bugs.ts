// Every mistake that can be built in, by name.
import { CHANNEL_BUGS } from './bugs/channels.ts'
import { CLAIMING_BUGS } from './bugs/claiming.ts'
import { EDITING_BUGS } from './bugs/editing.ts'
import { LATENESS_BUGS } from './bugs/lateness.ts'
import { OCCASION_BUGS } from './bugs/occasions.ts'
import { QUEUE_BUGS } from './bugs/queue.ts'
import { SENDING_BUGS } from './bugs/sending.ts'
import { SETTLING_BUGS } from './bugs/settling.ts'
import { TASK_BUGS } from './bugs/tasks.ts'
import { TIMEZONE_BUGS } from './bugs/timezones.ts'
import { WORD_BUGS } from './bugs/words.ts'
import type { Bug } from './world.ts'

export const BUGS: readonly Bug[] = [
  ...SETTLING_BUGS,
  ...CLAIMING_BUGS,
  ...SENDING_BUGS,
  ...CHANNEL_BUGS,
  ...WORD_BUGS,
  ...LATENESS_BUGS,
  ...EDITING_BUGS,
  ...QUEUE_BUGS,
  ...OCCASION_BUGS,
  ...TASK_BUGS,
  ...TIMEZONE_BUGS,
]
