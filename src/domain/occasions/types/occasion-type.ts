// What a kind of occasion decides: when it falls, what it says by default, and what it is made with.
import type { Series } from '../occasion.ts'

export type OccasionType = {
  /** Null for every kind that has no file of its own. */
  type: string | null
  series: Series
  /** What is said when nobody wrote anything else; null if somebody has to. */
  text: string | null
  /** What is said instead when it is belated, by the lateness set for the kind. */
  belatedText: string | null
  /** What it comes and goes with; null for one that is made by itself. */
  belongsTo: 'user' | 'task' | null
}
