// The verifier as a command: node verify.js FILE [--key BASE64]. FILE is a ledger file or a proof. Several keys are separated by
// commas. Exits with 0 if it is sound, with 1 if it is not, and with 2 if it cannot be read.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { verify } from './verifier.ts'

function stop(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { key: { type: 'string' } },
    })
    if (positionals.length === 1) return { file: positionals[0]!, key: values.key }
  } catch {}
  return stop('Usage: node verify.js FILE [--key BASE64]')
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    return stop((error as Error).message)
  }
}

const { file, key } = readArguments()
const json = read(file)
const findings = await verify(json, key?.split(','))
for (const { level, text } of findings)
  process.stdout.write(`${level === 'error' ? 'error' : 'note'}: ${text}\n`)
const isSound = findings.every(({ level }) => level !== 'error')
if (isSound) {
  process.stdout.write(`Sound. Signed with the key ${JSON.parse(json).publicKey}.\n`)
  if (key === undefined)
    process.stdout.write('Compare this key with the one that the operator published, or give it by --key.\n')
}
process.exitCode = isSound ? 0 : 1
