// The completion scripts: bash runs its script; those of zsh and fish name every command and option.
import { execFileSync } from 'node:child_process'
import { beforeAll, describe, expect, it } from 'vitest'
import { COMMAND } from './support/run-command.ts'

const { PATH = '' } = process.env
const terce = (...args: string[]) =>
  execFileSync(process.execPath, [COMMAND, ...args], { encoding: 'utf8', env: { PATH } })

describe('terce completion bash', () => {
  let script: string
  beforeAll(() => {
    script = terce('completion', 'bash')
  })

  function complete(line: string): string[] {
    const words = line.split(' ')
    const quoted = words.map((word) => `'${word}'`).join(' ')
    const ask = `COMP_WORDS=(${quoted}) COMP_CWORD=${words.length - 1}; _terce; printf '%s\\n' "\${COMPREPLY[@]}"`
    return execFileSync('bash', ['-uc', `${script}\nterce() { echo crm inbox; }\n${ask}`], {
      encoding: 'utf8',
    })
      .split('\n')
      .filter((word) => word !== '')
  }

  it.each([
    ['terce do', ['doctor']],
    ['terce s', ['send-time', 'start', 'serve']],
    ['terce preview --skip', ['--skip-bad-rows']],
    ['terce keys re', ['revoke', 'reseal']],
    ['terce tail --f', ['--failed']],
    ['terce keys create --sc', ['--scope']],
    ['terce ledger --f', ['--from']],
    ['terce completion ', ['bash', 'zsh', 'fish', '--help']],
    ['terce import people', []],
    ['terce events list --status P', ['PENDING', 'PROCESSING']],
    ['terce hold --channel c', ['crm']],
    ['terce channels show i', ['inbox']],
  ])('completes "%s"', (line, words) => {
    expect(complete(line).sort()).toEqual([...words].sort())
  })
})

it.each(['zsh', 'fish'])('terce completion %s names every command and the options of doctor', (shell) => {
  const script = terce('completion', shell)
  const commands = [...terce('--help').matchAll(/^ {2}([a-z]+)[|a-z]* /gm)].map(([, name]) => name!)
  expect(commands.length).toBeGreaterThan(15)
  for (const word of [...commands, 'start', 'serve']) expect(script).toMatch(new RegExp(`[ (]${word}\\b`))
  expect(script).toMatch(/doctor.*(--|-l )json/)
})

it('terce completion rejects an unknown shell', () => {
  expect(() => terce('completion', 'tcsh')).toThrow(/Allowed choices are bash, zsh, fish/)
})
