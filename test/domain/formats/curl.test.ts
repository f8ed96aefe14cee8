// A request as a curl command.
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { curlOf } from '../../../src/domain/formats/curl.ts'

describe('a request as a curl command', () => {
  it('keeps the body intact in a shell, including apostrophes', () => {
    const body = `{"message":"Hey, O'Hara it's \\"nine\\" $HOME"}`
    const headers = { 'x-idempotency-key': 'event-1' }
    const command = curlOf({ url: 'http://x/y?a=1&b=$2', headers, body }).replace(/^curl/, `printf '%s\\n'`)
    const lines = execFileSync('sh', ['-c', command], { encoding: 'utf8' }).split('\n')
    expect(lines).toContain(body)
    expect(lines).toContain('x-idempotency-key: event-1')
    expect(lines).toContain('http://x/y?a=1&b=$2')
  })
})
