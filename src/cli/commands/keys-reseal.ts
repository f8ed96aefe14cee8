// `terce keys reseal`: encrypts the secrets of channels and the signing key of the ledger with the first key of TERCE_SECRET_KEY.
import type { Command } from 'commander'
import { readConfig } from '../../runtimes/config/config.ts'
import type { Entry } from '../entry.ts'
import { openForCommand } from '../open-database.ts'

const HELP = `
Encrypts the secrets of channels and the signing key of the ledger.

To change TERCE_SECRET_KEY: set it to the new key, a comma and the previous key, restart every process, run this command,
remove the previous key, and restart again. The command can be repeated.

Exit codes: 0 done, 1 a secret cannot be decrypted with any of the keys, 2 wrong usage.`

export function addReseal(keys: Command, env: Entry['env']): void {
  keys
    .command('reseal')
    .description('encrypt stored secrets with the first key of TERCE_SECRET_KEY')
    .option('--dry-run', 'only print how many secrets would be encrypted anew')
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP)
    .action((options: { dryRun?: true; json?: true }) => reseal(env, options))
}

async function reseal(env: Entry['env'], { dryRun, json }: { dryRun?: true; json?: true }): Promise<void> {
  const config = readConfig(env)
  if (config.secretKeys === null)
    throw new Error('TERCE_SECRET_KEY is not set. Give the new key, a comma and the previous key.')
  const { createVault } = await import('../../runtimes/config/vault.ts')
  const { auditCli } = await import('../audit.ts')
  const { resealKey } = await import('../../app/ledger/signing-key.ts')
  const { resealSecrets } = await import('../../app/channels/reseal.ts')
  const vault = createVault(config.secretKeys)
  const { store, clock, close } = await openForCommand(config.database)
  try {
    const how = { dryRun: dryRun ?? false }
    const ofChannels = await resealSecrets({ store, clock, vault }, how)
    const ofLedger = await resealKey({ store, vault }, how).catch((error: Error) => error)
    const resealed = ofChannels.resealed + Number(ofLedger === 'resealed')
    const current = ofChannels.current + Number(ofLedger === 'current')
    const unreadable = [
      ...ofChannels.unreadable,
      ...(ofLedger instanceof Error ? [{ channel: null, reason: ofLedger.message }] : []),
    ]
    if (!dryRun && resealed > 0)
      await auditCli({ store, clock }, { action: 'secret.resealed', object: null, details: { resealed } })
    const secrets = resealed === 1 ? '1 secret' : `${resealed} secrets`
    if (json) console.log(JSON.stringify({ resealed, current, unreadable, ...(dryRun && { dryRun }) }))
    else if (dryRun) console.log(`${secrets} would be resealed, ${current} are current.`)
    else console.log(`${secrets} resealed, ${current} were current.`)
    if (unreadable.length > 0)
      throw new Error(unreadable.map(({ channel, reason }) => `${ownerOf(channel)}: ${reason}`).join('\n'))
  } finally {
    await close()
  }
}

function ownerOf(channel: string | null): string {
  return channel === null ? 'The signing key of the ledger' : `Channel "${channel}"`
}
