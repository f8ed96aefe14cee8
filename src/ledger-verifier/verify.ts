// The verifier as a command: node verify.js FILE [--key BASE64]. FILE is a ledger file or a proof. Exits with 1 if it is not sound.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { verify } from './verifier.ts'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { key: { type: 'string' } } })
if (positionals.length !== 1) throw new Error('Usage: node verify.js FILE [--key BASE64]')
const json = readFileSync(positionals[0]!, 'utf8')
const findings = await verify(json, values.key)
for (const { level, text } of findings) process.stdout.write(`${level}: ${text}\n`)
const isSound = findings.every(({ level }) => level !== 'error')
if (isSound) {
  process.stdout.write(`Sound. Signed with the key ${JSON.parse(json).publicKey}.\n`)
  if (values.key === undefined)
    process.stdout.write('Compare this key with the one that the operator published, or give it by --key.\n')
}
process.exitCode = isSound ? 0 : 1
