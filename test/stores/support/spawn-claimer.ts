// Runs the claiming process to its end and returns the ids it claimed.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export function spawnClaimer(
  database: string,
  { now, limit }: { now: number; limit: number },
  schemaOrPrefix = database.startsWith('postgres:') ? 'terce' : '',
): Promise<string[]> {
  const script = fileURLToPath(new URL('claim-worker.ts', import.meta.url))
  const child = spawn(process.execPath, [script, database, String(now), String(limit), schemaOrPrefix])
  return new Promise((resolve, reject) => {
    let [out, err] = ['', '']
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    child.stderr.on('data', (chunk) => {
      err += chunk
    })
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve(JSON.parse(out)) : reject(new Error(err))))
  })
}
