// Plays a run to its end, checks it by every rule and describes it. Saves the evidence of a run beside its logs.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Chaos } from './chaos-run.ts'
import { check } from './check-rules.ts'
import type { Evidence } from './evidence.ts'
import { type Summary, summarise } from './summary.ts'

export type Completed = { evidence: Evidence; summary: Summary }

/** `outagePeople` are due around an outage of the receiver after all other faults; without them there is none. */
export async function completeRun(
  chaos: Chaos,
  of: { seed: number; settledWithinMs: number; outagePeople?: number },
): Promise<Completed> {
  await chaos.play()
  const settledAfterMs = await chaos.recover(of.settledWithinMs)
  if (of.outagePeople !== undefined) await chaos.outage(of.outagePeople, of.settledWithinMs)
  const evidence = await chaos.collect()
  const broken = check(evidence)
  const summary = summarise(evidence, chaos.happened(), { seed: of.seed, settledAfterMs, broken })
  if (broken.length > 0) keep(chaos.folder, { evidence, summary })
  return { evidence, summary }
}

export function keep(folder: string, { evidence, summary }: Completed): void {
  const { tables, steps, people } = evidence
  const write = (name: string, what: unknown) =>
    writeFileSync(join(folder, name), JSON.stringify(what, null, 1))
  write('summary.json', summary)
  write('database.json', { ...tables, steps })
  write('people.json', people)
}

/** Stops every process, and removes the logs of a run that broke no rule. */
export async function endRun(chaos: Chaos | undefined, completed: Completed | undefined): Promise<void> {
  await chaos?.stop()
  if (completed?.summary.broken.length === 0) rmSync(chaos!.folder, { recursive: true })
}
