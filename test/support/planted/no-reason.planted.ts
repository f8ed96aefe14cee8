// Tests that are skipped in three ways without a reason.
import { it } from 'vitest'

it('passes', () => {})
it.skip('is skipped', () => {})
it.skipIf(true)('is skipped on a condition', () => {})
it.todo('is to be written')
