// A delivery as a curl command.
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { curlOf } from '../../../../web/src/pages/event/curl.ts'

describe('a delivery as a curl command', () => {
  it('keeps the body intact in a shell, including apostrophes', () => {
    const body = `{"message":"Hey, O'Hara it's \\"nine\\" $HOME"}`
    const command = curlOf({ url: 'http://x/y', key: 'event-1', body }).replace(/^curl/, `printf '%s\\n'`)
    const lines = execFileSync('sh', ['-c', command], { encoding: 'utf8' }).split('\n')
    expect(lines).toContain(body)
    expect(lines).toContain('X-Idempotency-Key: event-1')
  })
})
