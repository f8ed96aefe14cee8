// Colours are for a terminal that shows them and a user who wants them.
import { PassThrough } from 'node:stream'
import { WriteStream } from 'node:tty'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { paintFor } from '../../../src/cli/output/colour.ts'

beforeEach(() => vi.stubEnv('FORCE_COLOR', undefined))
afterEach(() => vi.unstubAllEnvs())

/** A stream whose terminal has this environment; null for a stream that is no terminal. */
function streamOf(env: Record<string, string> | null): NodeJS.WritableStream {
  if (env === null) return new PassThrough()
  const getColorDepth = () => WriteStream.prototype.getColorDepth.call({}, env)
  return Object.assign(new PassThrough(), { isTTY: true, getColorDepth })
}

it.each([
  ['a terminal', { TERM: 'xterm-256color' }, '\x1b[31mfail\x1b[39m'],
  ['a terminal with NO_COLOR', { TERM: 'xterm-256color', NO_COLOR: '1' }, 'fail'],
  ['a terminal without colours', { TERM: 'dumb' }, 'fail'],
  ['a pipe', null, 'fail'],
])('paintFor() %s returns the right text', (_, env, expected) => {
  expect(paintFor(streamOf(env))('red', 'fail')).toBe(expected)
})
