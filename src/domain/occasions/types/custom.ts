// Any other kind: what it says is for whoever invents it to write.
import { recurring } from '../recurring.ts'
import type { OccasionType } from './occasion-type.ts'

export const custom: OccasionType = {
  type: null,
  series: recurring,
  text: null,
  belatedText: null,
  belongsTo: null,
}
