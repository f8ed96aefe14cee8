// Log lines for a person at a terminal.
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { Paint } from '../../../src/cli/output/colour.ts'
import { createTextLog, openTextLog } from '../../../src/cli/output/log-text.ts'
import { createLogger } from '../../../src/telemetry/logger.ts'

const plain: Paint = (_, text) => text

function textLog() {
  let text = ''
  const output = createTextLog((more) => (text += more), plain)
  return { output, logger: createLogger('trace', output), text: () => text }
}

const ID = '019b2279-4400-7000-8000-2f6b1c9d3e4a'
const timeless = (text: string) => text.replaceAll(/\d\d:\d\d:\d\dZ/g, '09:00:00Z')

describe('a log line at a terminal', () => {
  it('has the time, the level, the message and the fields, with short ids', () => {
    const { output, logger, text } = textLog()
    output.release()
    logger.info({ eventId: ID, channel: 'crm', attempt: 1 }, 'Delivery succeeded')
    expect(timeless(text())).toBe(
      '09:00:00Z  info   Delivery succeeded  eventId=7000-8000-2f channel=crm attempt=1\n',
    )
  })

  it('about an outage has the code of the error, and any other error has its place in the code', () => {
    const { logger, text } = textLog()
    const error = Object.assign(new RangeError('secret'), { code: 'ECONNREFUSED' })
    logger.warn({ attempt: 3, retryInMs: 4_000, error }, 'Waiting for the database; retrying in 4 s')
    expect(timeless(text())).toBe(
      '09:00:00Z  warn   Waiting for the database; retrying in 4 s  attempt=3 error=RangeError ECONNREFUSED\n',
    )
    logger.error({ operation: 'settle', error }, 'Settling failed')
    expect(text()).toMatch(/\n {2}at .*log-text\.test\.ts/)
    expect(text()).not.toContain('secret')
  })

  it('of level info waits for the banner, and a warning does not', () => {
    const { output, logger, text } = textLog()
    logger.info('No missed events found')
    logger.warn('Waiting for the database')
    expect(text().match(/(?:No missed|Waiting).*/g)).toEqual(['Waiting for the database'])
    output.release()
    logger.info('Worker started')
    expect(text().match(/(?:No missed|Worker).*/g)).toEqual(['No missed events found', 'Worker started'])
  })
})

describe('LOG_FORMAT', () => {
  it.each([
    ['auto', true, 'text'],
    ['auto', false, 'JSON'],
    ['text', false, 'text'],
    ['json', true, 'JSON'],
  ] as const)('=%s with isTTY=%s writes %s', (format, isTTY, expected) => {
    const stdout = Object.assign(new PassThrough(), { isTTY })
    expect(openTextLog(format, stdout) === null ? 'JSON' : 'text').toBe(expected)
  })
})
