// The day somebody began.
import { recurring } from '../recurring.ts'
import type { OccasionType } from './occasion-type.ts'

export const workAnniversary: OccasionType = {
  type: 'WORK_ANNIVERSARY',
  series: recurring,
  text: "Hey, {{ firstName }} {{ lastName }} it's your work anniversary",
  belatedText: 'Hey, {{ firstName }} {{ lastName }} happy belated work anniversary',
  belongsTo: null,
}
