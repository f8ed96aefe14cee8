// Words and texts that the dashboard does not show, and the words it shows instead.
import { isIn, withoutComments } from '../support/source-file.ts'
import type { Guard } from './guard.ts'

const BANNED: readonly { text: RegExp; instead: string }[] = [
  { text: /\banswer(?:s|ed)?\b/i, instead: 'response' },
  { text: /\btaken\b/i, instead: 'used, or claimed' },
  { text: /\b(?:nobody|everybody)\b/i, instead: 'no people, all people' },
  { text: /\bon file\b/i, instead: 'added' },
  { text: /\bfor good\b/i, instead: 'permanently' },
  { text: /\bhas struck\b/i, instead: 'has just passed' },
  { text: /\bmay be doubled\b/i, instead: 'possible duplicates' },
  { text: /\bin capitals\b/i, instead: 'an example' },
  { text: /\bcommon years\b/i, instead: 'non-leap years' },
  { text: /\b(?:break|heal|empty) it\b/i, instead: 'simulate an outage, restore, clear' },
  { text: /\bgiven up\b/i, instead: 'failed' },
  { text: /\blife line\b/i, instead: 'history' },
  { text: /\bpick a day\b/i, instead: 'select a day' },
  { text: /\bto somebody\b|\bwritten to\b/i, instead: 'preview as' },
]

export const SCREEN_TEXTS: Guard = {
  rule: 'the dashboard shows plain words',
  check(files) {
    return files.filter(isIn('web/src')).flatMap((file) => {
      const text = withoutComments(file.text)
      return BANNED.flatMap(({ text: banned, instead }) => {
        const found = banned.exec(text)
        return found === null ? [] : [`${file.path} shows "${found[0]}": show ${instead}`]
      })
    })
  },
  planted: [
    {
      violation: 'an old text of a page',
      tree: { 'web/src/pages/planted.tsx': "const title = 'Pick a day to see who.'" },
      reported: ['web/src/pages/planted.tsx shows "Pick a day": show select a day'],
    },
  ],
}
