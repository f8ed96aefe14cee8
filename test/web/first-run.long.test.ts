// The first minute of a new user on all screens at once.
import { describeFirstMinute } from './support/first-minute.ts'
import { SCREENS } from './support/screens.ts'

describeFirstMinute(SCREENS)
