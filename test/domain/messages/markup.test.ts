// Mails carry text and HTML: each made of the other, with nothing lost and nothing let through.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeHtml, htmlOfText, isMarkup, textOfHtml } from '../../../src/domain/messages/markup.ts'

describe('text as HTML', () => {
  it('keeps its lines and escapes its signs', () => {
    expect(htmlOfText('a < b & "c"\r\nd\n\n\'e\'')).toBe(
      'a &lt; b &amp; &#34;c&#34;<br>\nd<br>\n<br>\n&#39;e&#39;',
    )
  })

  it('is text again when it is read', () => {
    const words = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/\s+/g, ' ').trim())
    fc.assert(
      fc.property(words, (text) => {
        expect(textOfHtml(escapeHtml(text))).toBe(text)
      }),
    )
  })
})

describe('HTML as text', () => {
  it('is its words, a line for each block', () => {
    const html = `<html><head><title>T</title><style>p { color: red }</style></head><body>
      <!-- hidden --><h1>Hello</h1><p>One   <b>two</b>&nbsp;three<br>four &lt;b&gt;</p><p>Five</p></body></html>`
    expect(textOfHtml(html)).toBe('Hello\nOne two three\nfour <b>\nFive')
  })

  it('takes any text in little time', () => {
    for (const bad of ['<', '<style', '<!--', '</', '<br', '&', ' ', '<p ']) {
      const started = performance.now()
      textOfHtml(bad.repeat(20_000))
      expect(performance.now() - started, bad).toBeLessThan(1_000)
    }
  })
})

describe('a template is HTML', () => {
  it.each(['<p>Hi</p>', 'Hi<br>there', 'Hi<BR />there', '<a href="x">y</a >'])('if it says %s', (text) => {
    expect(isMarkup(text)).toBe(true)
  })

  it.each(['I <3 you', 'a < b > c', '<grin>', 'Hi {{ firstName }}', '{% if age<b %}'])(
    'but not for %s',
    (text) => {
      expect(isMarkup(text)).toBe(false)
    },
  )
})
