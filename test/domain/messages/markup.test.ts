// A mail has text and HTML. Each is derived from the other without losing text or leaving HTML unescaped.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeHtml, htmlOfText, isMarkup, textOfHtml } from '../../../src/domain/messages/markup.ts'

describe('text that is converted to HTML', () => {
  it('keeps its lines and has its special characters escaped', () => {
    expect(htmlOfText('a < b & "c"\r\nd\n\n\'e\'')).toBe(
      'a &lt; b &amp; &#34;c&#34;<br>\nd<br>\n<br>\n&#39;e&#39;',
    )
  })

  it('is unchanged when it is converted back', () => {
    const words = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/\s+/g, ' ').trim())
    fc.assert(
      fc.property(words, (text) => {
        expect(textOfHtml(escapeHtml(text))).toBe(text)
      }),
    )
  })
})

describe('HTML that is converted to text', () => {
  it('has one line of text for each block', () => {
    const html = `<html><head><title>T</title><style>p { color: red }</style></head><body>
      <!-- hidden --><h1>Hello</h1><p>One   <b>two</b>&nbsp;three<br>four &lt;b&gt;</p><p>Five</p></body></html>`
    expect(textOfHtml(html)).toBe('Hello\nOne two three\nfour <b>\nFive')
  })

  it.each(['<', '<style', '<!--', '</', '<br', '&', ' ', '<p '])(
    'is converted with a malformed tag that is repeated 20,000 times: %j',
    (bad) => {
      // With quadratic backtracking this would run for minutes, and into the timeout of the test.
      expect(textOfHtml(bad.repeat(20_000)).length).toBeLessThanOrEqual(bad.length * 20_000)
    },
  )
})

describe('isMarkup()', () => {
  it.each(['<p>Hi</p>', 'Hi<br>there', 'Hi<BR />there', '<a href="x">y</a >'])('is true for %s', (text) => {
    expect(isMarkup(text)).toBe(true)
  })

  it.each(['I <3 you', 'a < b > c', '<grin>', 'Hi {{ firstName }}', '{% if age<b %}'])(
    'is false for %s',
    (text) => {
      expect(isMarkup(text)).toBe(false)
    },
  )
})
