// Parses one line that people read: names, titles and ids of the caller. Stores it in one spelling and keeps it readable.

/** More marks on one letter draw over the lines above and below. Tibetan and Hebrew use up to five. */
const MARKS_ON_A_LETTER = 6

// Control characters, line and paragraph separators, zero-width spaces and invisible operators, deprecated format characters,
// interlinear annotations, tag characters, lone surrogates and noncharacters. Names need joiners and the marks of direction.
const INVALID =
  /[\p{Cc}\u2028\u2029\u200b\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\p{Cs}\p{Noncharacter_Code_Point}]/u
/** Letters, digits and signs, without fillers and the empty Braille pattern, which are drawn as nothing. */
const VISIBLE = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u
const PLAIN = /^[\x20-\x7e]*$/

export type ParsedLine = { value: string; problem: null } | { value: null; problem: string }

/** The line in NFC and trimmed, or the problem with it as a sentence about `what` (`The name`). */
export function parseLine(text: string, { what, max }: { what: string; max: number }): ParsedLine {
  const reject = (problem: string): ParsedLine => ({ value: null, problem: `${what} ${problem}` })
  // Normalizing a lone surrogate is safe; it is rejected below.
  const value = text.normalize('NFC').trim()
  const length = PLAIN.test(value) ? value.length : [...value].length
  if (length < 1) return reject(`is empty. Use 1 to ${max} characters.`)
  if (length > max) return reject(`has ${length} characters. Use 1 to ${max} characters.`)
  if (PLAIN.test(value)) return { value, problem: null }
  if (!VISIBLE.test(value)) return reject('has no visible character. Use at least one.')
  if (INVALID.test(value))
    return reject('contains control characters, invisible characters or invalid Unicode. Remove them.')
  if (!isDirectionClosed(value))
    return reject('changes the direction of the text after it. Remove the direction controls.')
  if (hasTooManyMarks(value))
    return reject(
      `has more than ${MARKS_ON_A_LETTER} accents on one letter. Use at most ${MARKS_ON_A_LETTER}.`,
    )
  return { value, problem: null }
}

/** The control that closes each embedding and isolate. Overrides have none here: they show a text in another order than it is stored. */
const CLOSED_BY: Readonly<Record<string, string>> = {
  '\u202a': '\u202c',
  '\u202b': '\u202c',
  '\u2066': '\u2069',
  '\u2067': '\u2069',
  '\u2068': '\u2069',
}

function isDirectionClosed(text: string): boolean {
  const open: string[] = []
  for (const [control] of text.matchAll(/[\u202a-\u202e\u2066-\u2069]/g)) {
    const closing = CLOSED_BY[control]
    if (closing !== undefined) open.push(closing)
    else if (open.pop() !== control) return false
  }
  return open.length === 0
}

/** Invisible characters between the marks do not begin another letter. */
function hasTooManyMarks(text: string): boolean {
  let marks = 0
  for (const character of text) {
    if (/^\p{M}/u.test(character)) marks += 1
    else if (!/^\p{Default_Ignorable_Code_Point}/u.test(character)) marks = 0
    if (marks > MARKS_ON_A_LETTER) return true
  }
  return false
}
