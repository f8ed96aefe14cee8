// The built product in processes of its own: starts a role, and reads the CPU time of processes from /proc.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import type { Measured } from '../figures.ts'
import { end, onStop } from '../servers.ts'

export type TerceProcess = {
  pid: number
  /** The address of the API; null for a worker. */
  url: string | null
  /** The address of the inspector; null if it was not asked for. */
  inspectorUrl: string | null
  stop(): Promise<void>
}

export type Role = 'all' | 'api' | 'worker'

/** Resolves when the process has printed its banner. Settings that `env` does not name have their defaults. */
export async function startTerce(
  command: string,
  role: Role,
  env: Record<string, string>,
): Promise<TerceProcess> {
  const child = spawnTerce(command, [role], { PORT: '0', ...env }, 'ignore')
  let printed = ''
  const url = await new Promise<string | null>((resolve, reject) => {
    child.stderr!.on('data', (data) => {
      printed += data
      const banner = /^Terce \d\S*(?: listens on (\S+))?$/m.exec(printed)
      if (banner !== null) resolve(banner[1] ?? null)
    })
    child.once('exit', () => reject(new Error(`terce ${role} did not start:\n${printed}`)))
  })
  const inspectorUrl = /^Debugger listening on (\S+)$/m.exec(printed)?.[1] ?? null
  return { pid: child.pid!, url, inspectorUrl, stop: () => end(child, 'SIGTERM') }
}

/** Runs a command until it exits, and returns its output; throws unless it exits with 0. */
export async function runTerce(
  command: string,
  args: string[],
  env: Record<string, string>,
): Promise<string> {
  const child = spawnTerce(command, args, env, 'pipe')
  let output = ''
  child.stdout!.on('data', (data) => (output += data))
  let printed = ''
  child.stderr!.on('data', (data) => (printed = (printed + data).slice(-2_000)))
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`terce ${args[0]} ended with exit code ${code}:\n${printed}`)
  return output
}

/** The caller reads stderr, and stdout if it is a pipe. */
function spawnTerce(
  command: string,
  args: string[],
  env: Record<string, string>,
  stdout: 'ignore' | 'pipe',
): ChildProcess {
  const child = spawn(process.execPath, [command, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', stdout, 'pipe'],
  })
  onStop(() => end(child, 'SIGKILL'))
  return child
}

/** The kernel counts CPU time in hundredths of a second. */
const TICK_US = 10_000

/** The CPU time of all threads of a process so far, user and system. */
export function cpuUs(pid: number): number {
  const { user, system } = statOf(pid)
  return (user + system) * TICK_US
}

/** The CPU time of a process and of its children, including the children that have exited. */
export function cpuWithChildrenUs(pid: number): number {
  const parent = statOf(pid)
  let ticks = parent.user + parent.system + parent.exitedUser + parent.exitedSystem
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const child = statOf(Number(name))
      if (child.parent === pid) ticks += child.user + child.system
    } catch {
      // The process has exited since the folder was read.
    }
  }
  return ticks * TICK_US
}

/** The CPU time of a process and of its database server from now on; the returned function reads it for each of `count` messages. */
export function meterCpu(pid: number, databasePid: number): (count: number) => Measured {
  const before = { node: cpuUs(pid), database: cpuWithChildrenUs(databasePid) }
  return (count) => {
    const workerCpuUs = (cpuUs(pid) - before.node) / count
    const databaseCpuUs = (cpuWithChildrenUs(databasePid) - before.database) / count
    return { cpuUs: workerCpuUs + databaseCpuUs, workerCpuUs, databaseCpuUs }
  }
}

/** The memory of a process in bytes: resident now, and at its highest. */
export function memoryOf(pid: number): { resident: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)![1])
  return { resident: kilobytes('VmRSS') * 1024, peak: kilobytes('VmHWM') * 1024 }
}

function statOf(pid: number) {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name of the program is in parentheses and may contain spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [parent, user, system, exitedUser, exitedSystem] = [1, 11, 12, 13, 14].map((i) =>
    Number(fields[i]),
  ) as [number, number, number, number, number]
  return { parent, user, system, exitedUser, exitedSystem }
}
