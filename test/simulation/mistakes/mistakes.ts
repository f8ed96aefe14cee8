// Every mistake that can be planted.

import type { Mistake } from '../support/world.ts'
import { BIRTHDAY_MISTAKES } from './birthdays.ts'
import { CHANNEL_MISTAKES } from './channels.ts'
import { CLAIMING_MISTAKES } from './claiming.ts'
import { DESTINATION_MISTAKES } from './destinations.ts'
import { EDITING_MISTAKES } from './editing.ts'
import { HAND_OVER_MISTAKES } from './hand-over.ts'
import { HANDLER_MISTAKES } from './handlers.ts'
import { LATENESS_MISTAKES } from './lateness.ts'
import { LEDGER_MISTAKES } from './ledger.ts'
import { TEXT_MISTAKES } from './message-text.ts'
import { MOVE_MISTAKES } from './moves.ts'
import { OCCASION_MISTAKES } from './occasions.ts'
import { QUEUE_MISTAKES } from './queue.ts'
import { SENDING_MISTAKES } from './sending.ts'
import { SETTLING_MISTAKES } from './settling.ts'
import { TASK_MISTAKES } from './tasks.ts'
import { TIMEZONE_MISTAKES } from './timezones.ts'

export const MISTAKES: readonly Mistake[] = [
  ...SETTLING_MISTAKES,
  ...CLAIMING_MISTAKES,
  ...SENDING_MISTAKES,
  ...CHANNEL_MISTAKES,
  ...DESTINATION_MISTAKES,
  ...TEXT_MISTAKES,
  ...LATENESS_MISTAKES,
  ...EDITING_MISTAKES,
  ...MOVE_MISTAKES,
  ...BIRTHDAY_MISTAKES,
  ...QUEUE_MISTAKES,
  ...HAND_OVER_MISTAKES,
  ...OCCASION_MISTAKES,
  ...TASK_MISTAKES,
  ...TIMEZONE_MISTAKES,
  ...HANDLER_MISTAKES,
  ...LEDGER_MISTAKES,
]
