// The systemd unit: valid, and confined so far that a hole in Terce does not open the machine.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readRoot } from './support/deploy-files.ts'

const unit = readRoot('deploy/node/terce.service')
const lines = unit.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
const valuesOf = (name: string) =>
  lines.filter((line) => line.startsWith(`${name}=`)).map((line) => line.slice(name.length + 1))

const folder = mkdtempSync(join(tmpdir(), 'terce-systemd-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const isInstalled = spawnSync('systemd-analyze', ['--version']).status === 0

describe('the systemd unit', () => {
  it('has only sections and directives in the syntax of systemd', () => {
    for (const line of lines) expect(line).toMatch(/^(\[(Unit|Service|Install)\]|[A-Z][A-Za-z]+=.*)$/)
    expect(valuesOf('KillSignal')).toEqual(['SIGTERM'])
    expect(valuesOf('Environment').map((value) => value.split('=')[0])).toEqual(['DATABASE_URL'])
  })

  it('is started again a second after it ends, and gets longer to stop than messages in flight', () => {
    const restart = ['Restart', 'RestartSec', 'TimeoutStopSec'].flatMap(valuesOf)
    expect(restart).toEqual(['always', '1', '20'])
  })

  it('makes files that only its own user can read', () => {
    expect(valuesOf('UMask')).toEqual(['0077'])
    expect(valuesOf('StateDirectoryMode')).toEqual(['0700'])
    expect(valuesOf('DynamicUser')).toEqual(['yes'])
  })

  it('limits memory and tasks', () => {
    expect(valuesOf('MemoryMax')).toEqual(['1G'])
    expect(valuesOf('TasksMax')).toEqual(['128'])
  })

  it('allows the system calls of a service alone, and fails the others without ending the process', () => {
    expect(valuesOf('SystemCallFilter')).toEqual(['@system-service', '~@privileged @resources'])
    expect(valuesOf('SystemCallErrorNumber')).toEqual(['EPERM'])
    expect(valuesOf('SystemCallArchitectures')).toEqual(['native'])
  })

  it('cannot reach the metadata services of clouds', () => {
    expect(valuesOf('IPAddressDeny')).toEqual(['169.254.169.254 fd00:ec2::254'])
  })

  it('passes systemd-analyze verify', ({ skip }) => {
    skip(!isInstalled, 'systemd-analyze is not installed')
    // The command of the unit is not installed on the machine that tests.
    const file = join(folder, 'terce.service')
    writeFileSync(file, unit.replace('/usr/bin/terce', process.execPath))
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
    expect({ status, printed: stdout + stderr }).toEqual({ status: 0, printed: '' })
  })

  it('has an exposure of at most 2.0 of 10 by systemd-analyze security', ({ skip }) => {
    skip(!isInstalled, 'systemd-analyze is not installed')
    const file = join(folder, 'terce.service')
    copyFileSync(new URL('../../deploy/node/terce.service', import.meta.url), file)
    const args = ['security', '--offline=true', '--threshold=20', file]
    const report = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
    expect(report.status, report.stdout + report.stderr).toBe(0)
  })
})
