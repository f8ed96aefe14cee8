// A test that passes and a test that is skipped with a reason.
import { it } from 'vitest'

it('passes', () => {})

it('needs a linter', ({ skip }) => {
  skip('the linter is not installed')
})
