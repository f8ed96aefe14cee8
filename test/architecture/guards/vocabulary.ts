// Words that the project does not use, in code, comments, test names and documents, and the words it uses instead.
import type { SourceFile } from '../support/source-file.ts'
import type { Guard } from './guard.ts'
import { PENDING } from './vocabulary-pending.ts'

/** The guard itself, and the changelog, which names what was renamed. */
const EXEMPT = ['test/architecture/guards/vocabulary', 'CHANGELOG.md']

interface Term {
  /** Alternatives are separated by `|`. A space stands for any space or line break of a comment. */
  readonly words: string
  readonly instead: string
}

export const TERMS: readonly Term[] = [
  { words: 'whoever', instead: 'the noun: the caller, the process, the sender' },
  { words: 'whatever', instead: 'the noun' },
  { words: 'far side', instead: 'receiver or destination' },
  { words: 'in our hands', instead: 'claimed' },
  { words: 'give back|gives back|given back|gave back', instead: 'release or return' },
  { words: 'under way', instead: 'in flight or in progress' },
  { words: 'on its way|on their way', instead: 'in flight' },
  { words: 'trouble', instead: 'error' },
  { words: 'stranger', instead: 'caller or client' },
  { words: 'turn away|turns away|turned away', instead: 'reject' },
  { words: 'spoken for', instead: 'last settled' },
  { words: 'left alone|leave alone', instead: 'parked, or open for a circuit breaker' },
  { words: 'let go(?!ne)|lets go', instead: 'release' },
  { words: 'bury|buried|buries', instead: 'dead-letter' },
  { words: 'rivals?', instead: 'conflicting writers' },
]

export const VOCABULARY: Guard = {
  rule: 'the words of the glossary are used, not their paraphrases',
  check(files) {
    return TERMS.flatMap((term) => {
      const pending = PENDING[term.words] ?? []
      return files
        .filter((file) => ![...EXEMPT, ...pending].some((path) => file.path.startsWith(path)))
        .flatMap((file) => usesOf(term, file))
    })
  },
  planted: [
    {
      violation: 'a paraphrase in a comment',
      tree: { 'planted/claim.ts': '// Claims.\n// Whoever claims first sends.' },
      reported: ['planted/claim.ts:2 says "Whoever": say the noun: the caller, the process, the sender'],
    },
    {
      violation: 'a paraphrase that a line break divides',
      tree: { 'planted/channel.ts': '/**\n * An answer of the far\n * side.\n */' },
      reported: ['planted/channel.ts:2 says "far side": say receiver or destination'],
    },
    {
      violation: 'a paraphrase in the name of a test',
      tree: { 'planted/stop.test.ts': "it('settles events that are under way')" },
      reported: ['planted/stop.test.ts:1 says "under way": say in flight or in progress'],
    },
    {
      violation: 'a paraphrase in a document',
      tree: { 'planted/operate.md': '# Operate\n\nAn event is given back.\n' },
      reported: ['planted/operate.md:3 says "given back": say release or return'],
    },
    {
      violation: 'a paraphrase inside an identifier',
      tree: { 'planted/metrics.ts': "name: 'terce_troubles_total'" },
      reported: ['planted/metrics.ts:1 says "trouble": say error'],
    },
  ],
}

function usesOf(term: Term, file: SourceFile): string[] {
  const pattern = new RegExp(`(?<![a-z])(?:${term.words.replaceAll(' ', '[\\s/*#>]+')})`, 'gi')
  return [...file.text.matchAll(pattern)].map((match) => {
    const line = file.text.slice(0, match.index).split('\n').length
    const said = match[0].replace(/[\s/*#>]+/g, ' ')
    return `${file.path}:${line} says "${said}": say ${term.instead}`
  })
}
