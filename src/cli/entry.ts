// What terce.ts passes to every command, so that no command reads the environment or the clock itself.
import type { Command } from 'commander'

export type Entry = { env: Readonly<Record<string, string | undefined>>; now: number }

/** Adds one command, or a group of related commands, to the program. */
export type AddCommand = (program: Command, entry: Entry) => void
