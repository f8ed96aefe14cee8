// `terce keys reseal`: encrypts the secrets of channels with the first key of TERCE_SECRET_KEY, or of the key file.
import type { Command } from 'commander'
import { readConfig } from '../../runtimes/config/config.ts'
import { withStoredKeys } from '../../runtimes/node/server-config.ts'
import type { Entry } from '../entry.ts'
import { openForCommand } from '../open-database.ts'

const HELP = `
Encrypts the secrets of channels.

To change the key: set TERCE_SECRET_KEY, or the text of the key file beside the SQLite file, to the new key, a comma and the
previous key, restart every process, run this command, remove the previous key, and restart again. The command can be repeated.

Exit codes: 0 done, 1 a secret cannot be decrypted with any of the keys, 2 wrong usage.`

export function addReseal(keys: Command, env: Entry['env']): void {
  keys
    .command('reseal')
    .description('encrypt stored secrets with the first key of TERCE_SECRET_KEY or the key file')
    .option('--dry-run', 'only print how many secrets would be encrypted again')
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP)
    .action((options: { dryRun?: true; json?: true }) => reseal(env, options))
}

async function reseal(
  env: Entry['env'],
  { dryRun = false, json }: { dryRun?: boolean; json?: true },
): Promise<void> {
  const config = withStoredKeys(readConfig(env))
  if (config.secretKeys === null)
    throw new Error(
      'TERCE_SECRET_KEY is not set, and there is no key file. Give the new key, a comma and the previous key.',
    )
  const { createVault } = await import('../../runtimes/config/vault.ts')
  const { auditCli } = await import('../audit.ts')
  const { resealSecrets } = await import('../../app/channels/reseal.ts')
  const vault = createVault(config.secretKeys)
  const { store, clock, close } = await openForCommand(config.database)
  try {
    const done = await resealSecrets({ store, clock, vault }, { dryRun })
    const { resealed, current, unreadable } = done
    if (!dryRun && resealed > 0)
      await auditCli({ store, clock }, { action: 'secret.resealed', object: null, details: { resealed } })
    const secrets = resealed === 1 ? '1 secret' : `${resealed} secrets`
    if (json) console.log(JSON.stringify({ resealed, current, unreadable, dryRun }))
    else if (dryRun) console.log(`${secrets} would be resealed, ${current} are current.`)
    else console.log(`${secrets} resealed, ${current} were current.`)
    if (unreadable.length > 0)
      throw new Error(unreadable.map(({ channel, reason }) => `Channel "${channel}": ${reason}`).join('\n'))
  } finally {
    await close()
  }
}
