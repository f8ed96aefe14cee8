// The report of a run that broke an invariant: its shrunk scenario and trace, in plain lines.
import { type Run, runScenario } from '../run.ts'
import { shrink } from '../shrink.ts'
import { describeRun } from './describe.ts'

export const NO_VIOLATION = 'every invariant held'

export async function describeShortest({ scenario, violation }: Run): Promise<string> {
  if (violation === null) return NO_VIOLATION
  const shortest = await runScenario(await shrink(scenario, runScenario))
  return [...describeRun(shortest), `Replay: npm run simulate -- --seed ${scenario.seed}`].join('\n')
}
