#!/usr/bin/env node
// Starts the CLI. If the installed Node is too old, runs the Node that the package includes for Linux.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { constants } from 'node:os'

const [major, minor] = process.versions.node.split('.').map(Number)
const newEnough = major > 22 || (major === 22 && minor >= 18)

if (newEnough) {
  // Caches compiled code: halves the start time.
  module.enableCompileCache?.()
  await import('./quick-imports.js')
  // A checkout runs its sources. The published package has only dist/.
  const source = new URL('../src/cli/terce.ts', import.meta.url)
  await import(existsSync(source) ? source.href : '../dist/cli/terce.js')
} else {
  const node = bundledNode()
  if (node === null) {
    console.error(`terce: Node ${process.versions.node} is too old. Install Node 22.18 or newer.`)
    process.exit(1)
  }
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

function bundledNode() {
  try {
    return createRequire(import.meta.url).resolve(`node-linux-${process.arch}/bin/node`)
  } catch {
    return null
  }
}
