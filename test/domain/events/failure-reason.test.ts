// Promises about reasons: what names no one is kept, and everything else stays out.
import { describe, expect, it } from 'vitest'
import { reasonCode, reasonInWords } from '../../../src/domain/events/failure-reason.ts'

describe('the code of a reason', () => {
  it.each([
    ['HTTP 503', 'HTTP 503'],
    ['SMTP 550 5.1.1', 'SMTP 550 5.1.1'],
    ['SMTP 550 5.1.1 <ada@example.com>', 'SMTP 550 5.1.1'],
    ['CONNECTION: ECONNREFUSED', 'CONNECTION: ECONNREFUSED'],
    ['CONNECTION: given up', 'CONNECTION'],
    ['TIMEOUT: no answer within 10000 ms', 'TIMEOUT'],
    ['RETRIES_EXHAUSTED: 4 attempts, the last: HTTP 503', 'RETRIES_EXHAUSTED'],
    ['RENDER_ERROR', 'RENDER_ERROR'],
    ['Ada is not here', 'OTHER'],
    ['ADA@EXAMPLE.COM', 'OTHER'],
    ['LOVELACEada', 'OTHER'],
    ['', 'OTHER'],
  ])('of %j is %j', (reason, code) => expect(reasonCode(reason)).toBe(code))
})

describe('a reason in words', () => {
  it.each([
    ['HTTP 410', 410, 'the receiver answered HTTP 410'],
    ['TIMEOUT: no answer within 10000 ms', null, 'the receiver did not answer in time'],
    ['RETRIES_EXHAUSTED: …', 503, 'every retry failed, the last answer being 503'],
    ['CONNECTION: ECONNRESET', null, 'the receiver could not be reached'],
    ['BAD_TEMPLATE: unknown variable', null, 'its text could not be written'],
    ['ODD_THING: Ada has none', null, 'the reason noted is ODD_THING'],
    [null, null, 'the reason noted is OTHER'],
  ])('of %j with status %j is %j', (reason, status, words) => {
    expect(reasonInWords(reason, status)).toBe(words)
  })
})
