// Failure reasons without personal data.
import { describe, expect, it } from 'vitest'
import {
  failureFrom,
  failureReason,
  reasonCode,
  reasonInWords,
} from '../../../src/domain/events/failure-reason.ts'

describe('reasonCode()', () => {
  it.each([
    ['HTTP 503', 'HTTP 503'],
    ['SMTP 550 5.1.1', 'SMTP 550 5.1.1'],
    ['SMTP 550 5.1.1 <ada@example.com>', 'SMTP 550 5.1.1'],
    ['CONNECTION: ECONNREFUSED', 'CONNECTION: ECONNREFUSED'],
    ['CONNECTION: given up', 'CONNECTION'],
    ['TIMEOUT: no response within 10000 ms', 'TIMEOUT'],
    ['RETRIES_EXHAUSTED: 4 attempts, the last: HTTP 503', 'RETRIES_EXHAUSTED'],
    ['RENDER_ERROR', 'RENDER_ERROR'],
    ['Ada is not here', 'OTHER'],
    ['ADA@EXAMPLE.COM', 'OTHER'],
    ['LOVELACEada', 'OTHER'],
    ['', 'OTHER'],
  ])('of %j is %j', (reason, code) => expect(reasonCode(reason)).toBe(code))
})

describe('the failure reason of an event', () => {
  const reasonOf = (failureCode: string | null, lastError: string | null, retryCount = 0) =>
    failureReason({ failureCode, lastError, retryCount })

  it('is the error itself where one error ended the event', () => {
    const { code, lastError } = failureFrom('HTTP 410: gone')
    expect(code).toBe('HTTP 410')
    expect(reasonOf(code, lastError)).toBe('HTTP 410: gone')
  })

  it('counts the attempts that were given up', () => {
    expect(reasonOf('RETRIES_EXHAUSTED', 'HTTP 503', 3)).toBe(
      'RETRIES_EXHAUSTED: 4 attempts, the last: HTTP 503',
    )
    expect(reasonOf('CUT_OFF', 'HTTP 503')).toBe('CUT_OFF: 1 attempt, the last: HTTP 503')
  })

  it('is null for an event that did not fail', () => expect(reasonOf(null, null)).toBeNull())
})

describe('reasonInWords()', () => {
  it.each([
    ['HTTP 410', 410, 'the receiver responded with HTTP 410'],
    ['TIMEOUT: no response within 10000 ms', null, 'the receiver did not respond in time'],
    ['RETRIES_EXHAUSTED: …', 503, 'every retry failed; the last status was 503'],
    ['CONNECTION: ECONNRESET', null, 'the receiver could not be reached'],
    ['BAD_TEMPLATE: unknown variable', null, 'its text could not be rendered'],
    ['TEMPLATE_LIMIT: too long', null, 'rendering its text reached a limit of size, work or time'],
    ['ODD_THING: Ada has none', null, 'the recorded reason is ODD_THING'],
    [null, null, 'the recorded reason is OTHER'],
  ])('of %j with status %j is %j', (reason, status, words) => {
    expect(reasonInWords(reason, status)).toBe(words)
  })
})
