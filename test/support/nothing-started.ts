// Setup of the project `unit`: a test that starts a process or listens on a port fails, with the place where its project is decided.
import childProcess, { ChildProcess } from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import { Server } from 'node:net'

function reject(what: string): never {
  throw new Error(
    `A unit test ${what}. Import the module that does it in the test file or its helper, so that test/support/projects.ts sees it.`,
  )
}

const prototype = ChildProcess.prototype as unknown as { spawn: () => never }
prototype.spawn = () => reject('starts a process')
Server.prototype.listen = () => reject('starts a server')
for (const name of ['spawnSync', 'execSync', 'execFileSync'] as const)
  (childProcess[name] as unknown) = () => reject('starts a process')
syncBuiltinESMExports()
