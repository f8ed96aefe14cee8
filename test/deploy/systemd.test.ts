// The systemd unit: valid, and confined so far that a hole in Terce does not open the machine.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readRoot, STOP_SECONDS } from './support/deploy-files.ts'
import { itWith } from './support/installed.ts'

const unit = readRoot('deploy/node/terce.service')
const valuesOf = (name: string) =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!)

it('the systemd unit is started again a second after it ends, and gets more time to stop than a process takes', () => {
  expect(['Restart', 'RestartSec', 'KillSignal'].flatMap(valuesOf)).toEqual(['always', '1', 'SIGTERM'])
  expect(Number(valuesOf('TimeoutStopSec')[0])).toBeGreaterThan(STOP_SECONDS)
})

it('the systemd unit has its secrets in a file, runs as a user of its own, and writes only files that this user can read', () => {
  expect(valuesOf('EnvironmentFile')).toEqual(['/etc/terce/environment'])
  expect(valuesOf('Environment')).toEqual(['DATABASE_URL=sqlite:/var/lib/terce/terce.db'])
  expect(['DynamicUser', 'UMask', 'StateDirectoryMode'].flatMap(valuesOf)).toEqual(['yes', '0077', '0700'])
})

it('the systemd unit limits memory, tasks and system calls, and cannot reach the metadata services of clouds', () => {
  expect(['MemoryMax', 'TasksMax'].flatMap(valuesOf)).toEqual(['1G', '128'])
  expect(valuesOf('SystemCallFilter')).toEqual(['@system-service', '~@privileged @resources'])
  expect(valuesOf('IPAddressDeny')).toEqual(['169.254.169.254 fd00:ec2::254'])
})

itWith('systemd-analyze', '--version', 'the systemd unit is valid, and exposed by 2.0 of 10 at most', () => {
  const folder = mkdtempSync(join(tmpdir(), 'terce-systemd-'))
  const file = join(folder, 'terce.service')
  const analyze = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('systemd-analyze', [...args, file], { encoding: 'utf8' })
    return { status, printed: stdout + stderr }
  }
  try {
    // The command of the unit is not installed on the machine that tests.
    writeFileSync(file, unit.replace('/usr/bin/terce', process.execPath))
    expect(analyze('verify')).toEqual({ status: 0, printed: '' })
    expect(analyze('security', '--offline=true', '--threshold=20')).toMatchObject({ status: 0 })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
