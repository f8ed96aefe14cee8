// Stands in for curl on a machine that has none: just the flags that the documents use.
import { readFileSync, writeFileSync } from 'node:fs'

const args = process.argv.slice(2)
const request: RequestInit & { headers: Record<string, string> } = { headers: {} }
let url = ''
let headersFile: string | null = null
let failsOnError = false
for (let i = 0; i < args.length; i++) {
  const arg = args[i]!
  if (arg === '-s') continue
  if (arg === '-sf') failsOnError = true
  else if (arg === '-D') headersFile = args[++i]!
  else if (arg === '-X') request.method = args[++i]!
  else if (arg === '-H') {
    const [name, value] = args[++i]!.split(': ')
    request.headers[name!] = value!
  } else if (arg === '-d') {
    request.body = args[++i]!
    request.method ??= 'POST'
  } else if (arg === '--data-binary') {
    request.body = readFileSync(args[++i]!.slice('@'.length))
    request.method ??= 'POST'
  } else url = arg
}
const response = await fetch(url, request)
if (headersFile !== null)
  writeFileSync(headersFile, [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`).join(''))
if (failsOnError && !response.ok) process.exitCode = 22
else process.stdout.write(await response.text())
