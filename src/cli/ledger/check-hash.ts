// `terce ledger --day D --hash`: recomputes the hash of a closed day from its rows.
import { recomputeHash } from '../../app/ledger/day-hash.ts'
import { ConfigError } from '../../runtimes/config/config.ts'
import type { Entry } from '../entry.ts'
import { withRemote } from '../remote.ts'
import { readTotals, type ShowOptions } from './show.ts'

/** Throws if the rows do not give the stored hash, or if the lines were pruned. */
export async function checkHash(entry: Entry, day: string, options: ShowOptions): Promise<void> {
  await withRemote(options, entry, async ({ client, local }) => {
    if (local === null)
      throw new ConfigError(['--hash reads the rows of a database. Unset TERCE_URL, and omit --url.'])
    const { store } = local.database
    if ((await readTotals(client, day)).state !== 'closed') throw new Error(`${day} is being closed.`)
    const [closed] = await store.listLedgerDays({ from: day, to: day, limit: 1 })
    const { hash: stored } = closed!
    const recomputed = await recomputeHash(store, closed!)
    const isSame = stored === recomputed
    if (options.json) console.log(JSON.stringify({ day, stored, recomputed, same: isSame }))
    else if (isSame) console.log(`${day}: the rows give the stored hash ${stored}.`)
    if (recomputed === null)
      throw new Error(`${day}: the lines were pruned, so the stored hash ${stored} cannot be recomputed.`)
    if (!isSame) throw new Error(`${day}: the rows give the hash ${recomputed}, and ${stored} is stored.`)
  })
}
