// The problems of a form while its fields are corrected.
import { describe, expect, it } from 'vitest'
import { TerceError } from '../../../src/client/client.ts'
import { afterEdit, NO_EDITS, openProblem } from '../../../web/src/ui/form.ts'

const rejected = () =>
  new TerceError({
    code: 'INVALID',
    status: 400,
    detail: 'Invalid request body.',
    problems: [
      { field: 'email', code: 'INVALID_VALUE', message: 'Not an email address.' },
      { field: 'timezone', code: 'INVALID_VALUE', message: 'Not a time zone.' },
    ],
  })

describe('the problem of a field', () => {
  it('disappears when the field is edited, and the problems of other fields stay', () => {
    const error = rejected()
    const edits = afterEdit(NO_EDITS, error, 'email')
    expect(openProblem(NO_EDITS, error, 'email')).toBe('Not an email address.')
    expect(openProblem(edits, error, 'email')).toBeUndefined()
    expect(openProblem(edits, error, 'timezone')).toBe('Not a time zone.')
    const both = afterEdit(edits, error, 'timezone')
    expect(openProblem(both, error, 'email')).toBeUndefined()
    expect(openProblem(both, error, 'timezone')).toBeUndefined()
  })

  it('appears again when the next request is rejected for it', () => {
    const edits = afterEdit(NO_EDITS, rejected(), 'email')
    expect(openProblem(edits, rejected(), 'email')).toBe('Not an email address.')
  })
})
