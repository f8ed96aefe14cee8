// The first minute of a new user on a tablet and a phone. Every page on every screen is in screens.long.test.ts.
import { describeFirstMinute } from './support/first-minute.ts'
import { SCREENS } from './support/screens.ts'

describeFirstMinute(SCREENS.filter(({ name }) => ['1024 px, light', '390 px, dark'].includes(name)))
