// Every mistake that can be built in, by name.

import type { Bug } from '../support/world.ts'
import { CHANNEL_BUGS } from './channels.ts'
import { CLAIMING_BUGS } from './claiming.ts'
import { EDITING_BUGS } from './editing.ts'
import { LATENESS_BUGS } from './lateness.ts'
import { WORD_BUGS } from './message-text.ts'
import { OCCASION_BUGS } from './occasions.ts'
import { QUEUE_BUGS } from './queue.ts'
import { SENDING_BUGS } from './sending.ts'
import { SETTLING_BUGS } from './settling.ts'
import { TASK_BUGS } from './tasks.ts'
import { TIMEZONE_BUGS } from './timezones.ts'

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
