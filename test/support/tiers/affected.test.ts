// Chooses long files for changes of this repository, and finds where a change began.
import { describe, expect, it } from 'vitest'
import { baseOf, changedSince, isAffected, ordered } from './affected.ts'

describe('the long files that a change affects', () => {
  it.each([
    ['test/engine/queue/recovery.long.test.ts', 'src/engine/queue/consumer.ts', true],
    ['test/engine/queue/recovery.long.test.ts', 'src/engine/deliver/sender.ts', false],
    ['test/chaos/chaos.long.test.ts', 'src/stores/postgres/events/claim.ts', true],
    ['test/chaos/chaos.long.test.ts', 'web/src/main.tsx', false],
    ['test/stores/postgres/races.long.test.ts', 'migrations/postgres/0001.sql', true],
    ['test/web/screens.long.test.ts', 'test/web/support/browser.ts', true],
    ['test/web/screens.long.test.ts', 'test/web/screens.long.test.ts', true],
    ['test/web/screens.long.test.ts', 'docs/operate.md', false],
  ])('runs %s after a change of %s: %s', (test, changed, expected) => {
    expect(isAffected(test, [changed])).toBe(expected)
  })

  it('differ in order from commit to commit, and not within one', () => {
    const files = ['a', 'b', 'c', 'd', 'e']
    expect(ordered(files, '1')).toEqual(ordered(files.toReversed(), '1'))
    expect(ordered(files, '1')).not.toEqual(ordered(files, '2'))
  })
})

describe('the base of a change', () => {
  it('is the newest commit that is four hours older', () => {
    const calls: string[][] = []
    const git = (...args: string[]) => {
      calls.push(args)
      return args[0] === 'log' ? '1800000000' : 'abc'
    }
    expect(baseOf('HEAD', git)).toBe('abc')
    expect(calls.at(-1)).toEqual(['rev-list', '-1', `--before=${1_800_000_000 - 14_400}`, 'HEAD'])
  })

  it('is missing in a clone without history, where every file counts as changed', () => {
    expect(baseOf('HEAD', (command) => (command === 'log' ? '1800000000' : ''))).toBeNull()
    expect(changedSince(null, (command) => (command === 'ls-files' ? 'a\nb' : ''))).toEqual(['a', 'b'])
  })
})
