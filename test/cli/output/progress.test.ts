import { describe, expect, it } from 'vitest'
import { createProgress } from '../../../src/cli/output/progress.ts'

function show(isTTY: boolean, ...steps: number[]): string {
  let shown = ''
  const progress = createProgress({ isTTY, write: (text) => (shown += text) }, () => 0)
  for (const step of steps) progress(step, 'now')
  return shown
}

describe('createProgress()', () => {
  it('redraws one bar on a terminal', () => {
    expect(show(true, 0.1, 0.505, 1)).toBe(
      '\r[###...........................]  10 %  now\x1b[K' +
        '\r[###############...............]  50 %  now\x1b[K' +
        '\r[##############################] 100 %  now\x1b[K\n',
    )
  })

  it('has the rate and the time left on a terminal, from the first second on', () => {
    let now = 5_000
    let shown = ''
    const write = (text: string) => {
      shown = text
    }
    const progress = createProgress({ isTTY: true, write }, () => now)
    const paceAfter = (ms: number, done: number, count?: number) => {
      now = 5_000 + ms
      progress(done, 'rows', count)
      return shown.split('rows')[1]!.trimEnd().replace('\x1b[K', '')
    }
    expect(paceAfter(500, 0.1, 1_000)).toBe('')
    expect(paceAfter(4_000, 0.25, 10_000)).toBe('  2,500/s, 12.0 s left')
    expect(paceAfter(4_000, 0.25)).toBe('  12.0 s left')
    expect(paceAfter(20_000, 1, 40_000)).toBe('  2,000/s, in 20.0 s')
  })

  it('prints a line for each tenth if there is no terminal', () => {
    expect(show(false, 0.05, 0.1, 0.15, 0.3, 1)).toBe(' 10 %  now\n 30 %  now\n100 %  now\n')
  })
})
