import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { COMMAND, run, useFolder } from '../cli/support/run-command.ts'

const folder = useFolder()
const page = readFileSync(new URL('../../docs/preview.md', import.meta.url), 'utf8')
const blocks = [...page.matchAll(/```(\w+)\n([\s\S]*?)```/g)].map((match) => ({
  language: match[1]!,
  text: match[2]!,
}))
/** Each command, with what the page shows of its output, if anything. */
const examples = blocks.flatMap(({ language, text }, index) => {
  const next = blocks[index + 1]
  const shown = next === undefined || next.language === 'sh' ? null : next
  return language === 'sh' ? [{ command: text.trim(), shown }] : []
})

describe('docs/preview.md', () => {
  it('has examples with their output', () => {
    expect(examples.filter(({ shown }) => shown !== null)).toHaveLength(3)
  })

  it.each(examples)(
    'has a command that works, and shows what it prints: $command',
    async ({ command, shown }) => {
      folder.write('people.csv', blocks.find(({ language }) => language === 'csv')!.text)
      const script = `terce() { "${process.execPath}" "${COMMAND}" "$@"; }\n${command}`
      const { code, stdout, stderr } = await run('bash', ['-c', script], { cwd: folder.path, env: {} })
      if (shown === null) expect(code).toBe(0)
      else if (shown.language === 'stderr')
        expect({ stdout, stderr }).toEqual({ stdout: '', stderr: shown.text })
      else expect({ code, stdout }).toEqual({ code: 0, stdout: shown.text })
    },
  )
})
