// What the entry hands to every command: the one place that reads the environment and the clock.
import type { Command } from 'commander'

export type Entry = { env: Readonly<Record<string, string | undefined>>; now: number }

/** Adds one command, or a few that belong together, to the program. */
export type AddCommand = (program: Command, entry: Entry) => void
