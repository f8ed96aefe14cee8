// The examples of fields on the reference page.
import { expect, it } from 'vitest'
import { described } from '../../../src/http/reference/schema-html.ts'
import { createTestApp } from '../support/test-app.ts'

it.each([false, true, 0, 'x'])('the reference page shows the example %s', async (example) => {
  expect(String(await described({ example }))).toContain(`<code>${example}</code>`)
})

it('the reference page has no empty example', async () => {
  const { text } = await createTestApp().send('/docs')
  expect(text.includes('<i>e.g.</i> <code>false</code>')).toBe(true)
  expect(text.match(/.{0,80}<code><\/code>/g)).toBeNull()
})
