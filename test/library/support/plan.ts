// What a run of kills and the processes of its application agree on.

export type ApplicationPlan = {
  /** A PostgreSQL URL, or SQLite files. */
  databases: string[]
  seed: number
  /** How many clients write at once on each database; with 0 only the handlers do. */
  clients: number
  /** The file that records which transactions were open when the process ended. */
  journal: string
  mistake: PlantedMistake | null
}

/** `two-transactions`: the application commits its own row before it calls Terce. `effect-apart`: its handler does. */
export type PlantedMistake = 'two-transactions' | 'effect-apart'

/** A transaction has begun; it was committed or rolled back; its connection broke. */
export type Mark = 'B' | 'E' | 'X'

/** A process reports after each so many transactions, and when it has started. */
export const REPORT_EVERY = 20

export type Report = { begun: number } | { unexpected: string }
