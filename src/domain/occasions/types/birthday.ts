// Every user's own: made with them, on the date of birth.
import { recurring } from '../recurring.ts'
import type { OccasionType } from './occasion-type.ts'

export const birthday: OccasionType = {
  type: 'BIRTHDAY',
  series: recurring,
  text: "Hey, {{ firstName }} {{ lastName }} it's your birthday",
  belatedText: 'Hey, {{ firstName }} {{ lastName }} happy belated birthday',
  belongsTo: 'user',
}
