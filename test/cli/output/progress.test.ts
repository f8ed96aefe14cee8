import { describe, expect, it } from 'vitest'
import { createProgress } from '../../../src/cli/output/progress.ts'

function show(isTTY: boolean, ...steps: number[]): string {
  let shown = ''
  const progress = createProgress({ isTTY, write: (text) => (shown += text) })
  for (const step of steps) progress(step, 'now')
  return shown
}

describe('createProgress()', () => {
  it('redraws one bar on a terminal', () => {
    expect(show(true, 0.1, 0.505, 1)).toBe(
      '\r[###...........................]  10 %  now' +
        '\r[###############...............]  50 %  now' +
        '\r[##############################] 100 %  now\n',
    )
  })

  it('prints a line for each tenth if there is no terminal', () => {
    expect(show(false, 0.05, 0.1, 0.15, 0.3, 1)).toBe(' 10 %  now\n 30 %  now\n100 %  now\n')
  })
})
