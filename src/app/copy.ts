// Copies an installation into an empty database. The source is frozen first, so that its rows no longer change: a run that was
// interrupted goes on after the rows that the target has.
import { sleep } from '../engine/timing.ts'
import type { Clock } from '../ports/clock.ts'
import type { CopySource, CopyTarget } from '../ports/copy.ts'

/** Rejects each write to the source, also after the copy. Without a full stop: an error message continues it. */
export const sourceText = (id: string, to: string) =>
  `This database is frozen: copy ${id} moved it to ${to}, and it rejects every write so that nothing is sent twice. To send from it again, stop the processes of the copy and run terce copy --undo`

/** Rejects each write to the target but those of the copy. */
const targetText = (id: string) =>
  `This database is frozen: copy ${id} into it is not complete. Run the same terce copy again`

/** The copy that froze a database. */
export const copyIdOf = (text: string) => / copy (\w+) /.exec(text)?.[1] ?? null

export type Copied = { table: string; rows: number }

type Copy = {
  source: CopySource
  target: CopyTarget
  id: string
  /** The address of the target. */
  to: string
  clock: Clock
  onStep: (step: string) => void
  onPage: (copied: number, table: string) => void
}

/** Returns the tables with their numbers of rows, which are equal in both. */
export async function copy(work: Copy): Promise<Copied[]> {
  const { source, target, id, onPage, onStep } = work
  await freezeSource(work)
  const left = await source.leftBehind()
  if (left !== null)
    throw new Error(`The source has ${left}. Undo the copy, and copy again when they are applied.`)
  await target.prepare(targetText(id), source)
  let copied = 0
  for (const table of source.tables) {
    const skip = await target.count(table)
    copied += skip
    onPage(copied, table.name)
    let page = await source.read(table, { skip })
    while (page.length > 0) {
      const after = page.at(-1)!
      const [next] = await Promise.all([source.read(table, { after }), target.write(table, page)])
      copied += page.length
      onPage(copied, table.name)
      page = next
    }
    if (table.numbered !== null) await target.setLastNumber(table, await source.lastNumber(table))
  }
  onStep('Comparing both sides.')
  const compared = await compare(source, target)
  if ((await source.frozenText()) !== sourceText(id, work.to))
    throw new Error('The source was released during the copy, so the copy is void. Empty the target.')
  await target.finish()
  return compared
}

const POLL_MS = 250
/** Longer than the lease of a worker that was killed. */
const MOST_WAIT_MS = 120_000

/** Waits for messages in flight, so that their outcome is copied. What stays in flight is sent again when its lease expires, under its key. */
async function freezeSource({ source, id, to, clock, onStep }: Copy): Promise<void> {
  const text = sourceText(id, to)
  // Claims only: the writes of a frozen source must not succeed again.
  if ((await source.frozenText()) === null) await source.freezeClaims(text)
  for (let waitedMs = 0; waitedMs < MOST_WAIT_MS; waitedMs += POLL_MS) {
    const leased = await source.countLeased(clock.now())
    if (leased === 0) break
    if (waitedMs === 0) onStep(`Waiting for ${leased} ${leased === 1 ? 'message' : 'messages'} in flight.`)
    await sleep(clock, POLL_MS)
  }
  await source.freeze(text)
}

async function compare(source: CopySource, target: CopyTarget): Promise<Copied[]> {
  const compared: Copied[] = []
  for (const table of source.tables) {
    const [here, there] = await Promise.all([source.sums(table), target.sums(table)])
    const differs = here.findIndex((sum, i) => sum !== there[i])
    if (differs !== -1) {
      const what = differs === 0 ? 'the number of rows' : `the sum of ${table.columns[differs - 1]!.name}`
      throw new Error(
        `${table.name}: ${what} is ${here[differs]} in the source and ${there[differs]} in the target. Empty the target and copy again.`,
      )
    }
    compared.push({ table: table.name, rows: here[0]! })
  }
  return compared
}
