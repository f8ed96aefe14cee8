// `terce ledger prove` and `terce ledger export`: what can be verified outside, see src/ledger-verifier.
import type { Client } from '../../client/client.ts'
import { type FileDay, type LedgerFile, type LedgerProof, ledgerFileText } from '../../domain/ledger/file.ts'
import { grouped } from '../output/words.ts'
import { writeFile } from '../output/write-file.ts'
import type { Day } from './text.ts'

export async function proveEvent(
  client: Client,
  { event, day, out }: { event: string; day?: string; out?: string },
): Promise<void> {
  const path = { id: event }
  const proof: LedgerProof = await client.get('/event/{id}/proof', { path, query: { ...(day && { day }) } })
  const text = JSON.stringify(proof)
  if (out === undefined) return console.log(text)
  await writeFile(out, [`${text}\n`])
  console.error(`Wrote the proof. Check it with terce ledger verify ${out}`)
}

/** Requests each day by itself, so that a long period neither exceeds the memory nor a timeout. */
export async function exportDays(
  client: Client,
  range: { from?: string; to?: string },
  out: string,
): Promise<void> {
  const days = await closedDays(client, range)
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) throw new Error('No day of this period is closed.')
  const { publicKey } = await readDay(client, first.day)
  await writeFile(out, ledgerFileText(publicKey, filesOf(client, days)))
  const count = days.length === 1 ? '1 day' : `${grouped(days.length)} days`
  console.error(
    `Exported ${count}, ${first.day} to ${last.day}. Check the file with terce ledger verify ${out}`,
  )
}

const PAGE = 366

/** Oldest first. */
export async function closedDays(
  client: Client,
  { from, to }: { from?: string; to?: string },
): Promise<Day[]> {
  const found: Day[] = []
  for (let last = to; ; last = dayBefore(found.at(-1)!.day)) {
    const query = { limit: PAGE, ...(from && { from }), ...(last && { to: last }) }
    const { days } = await client.get('/ledger', { query })
    found.push(...days)
    if (days.length < PAGE) return found.filter(({ state }) => state === 'closed').reverse()
  }
}

function dayBefore(day: string): string {
  return new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)
}

async function* filesOf(client: Client, days: readonly Day[]): AsyncGenerator<FileDay> {
  for (const { day } of days) {
    const file = await readDay(client, day)
    for (const { header, signature, lines } of file.days)
      yield {
        header,
        signature,
        publicKey: file.publicKey,
        lines: lines && [lines.map(([column, commitment]) => ({ column, commitment }))],
      }
  }
}

function readDay(client: Client, day: string): Promise<LedgerFile> {
  return client.get('/ledger/{day}/file', { path: { day } }) as Promise<LedgerFile>
}
