// Words that the project does not use, in code, comments, test names and documents, and the words it uses instead.
import type { SourceFile } from '../support/source-file.ts'
import type { Guard } from './guard.ts'

/** The guard itself, and the changelog, which names what was renamed. */
const EXEMPT = ['test/architecture/guards/vocabulary', 'CHANGELOG.md']

interface Term {
  /** Alternatives are separated by `|`. A space stands for any space, `_` or line break of a comment. */
  readonly words: string
  readonly instead: string
}

export const TERMS: readonly Term[] = [
  { words: 'whoever', instead: 'the noun: the caller, the process, the sender' },
  { words: 'whatever', instead: 'the noun' },
  { words: 'far side', instead: 'receiver or destination' },
  { words: 'in our hands', instead: 'claimed' },
  { words: 'give back|gives back|given back|gave back', instead: 'release or return' },
  { words: 'under ?way', instead: 'in flight or in progress' },
  { words: 'on its way|on their way', instead: 'in flight' },
  { words: 'trouble(?!shooting)', instead: 'error' },
  { words: 'stranger', instead: 'caller or client' },
  { words: 'turn away|turns away|turned away', instead: 'reject' },
  { words: 'spoken for', instead: 'last settled' },
  { words: 'left alone|leave alone', instead: 'parked, or open for a circuit breaker' },
  { words: 'let go(?!ne)|lets go', instead: 'release' },
  { words: 'bury|buried|buries', instead: 'dead-letter' },
  { words: 'rivals?', instead: 'conflicting writers' },
  { words: 'anew', instead: 'again' },
  // Simulation and guards plant mistakes and violations.
  { words: 'plants? (?:no|its|each|the|a new) (?:same )?(?:successor|event|occurrence)', instead: 'insert' },
  // Refused is the usual word for a connection alone.
  { words: '(?<!econn|connection )refus(?:es?|ing|als?|ed(?! connection| or reset))\\b', instead: 'reject' },
  {
    words: 'taken (?:again|away)|takes? (?:nothing|an event|no further)|who took',
    instead: 'claim, delete or accept',
  },
]

export const VOCABULARY: Guard = {
  rule: 'the words of the glossary are used, not their paraphrases',
  check(files) {
    const checked = files.filter((file) => !EXEMPT.some((path) => file.path.startsWith(path)))
    return TERMS.flatMap((term) => checked.flatMap((file) => usesOf(term, file)))
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
      violation: 'a paraphrase in an identifier of several words',
      tree: { 'planted/problem.ts': 'LEASE_UNDER_WAY' },
      reported: ['planted/problem.ts:1 says "UNDER WAY": say in flight or in progress'],
    },
    {
      violation:
        'an event that is taken, planted or refused, but no planted mistake and no refused connection',
      tree: {
        'planted/contract.ts':
          'plants its successor\nis taken again\nis refused\nplants a mistake\na refused connection',
      },
      reported: [
        'planted/contract.ts:1 says "plants its successor": say insert',
        'planted/contract.ts:3 says "refused": say reject',
        'planted/contract.ts:2 says "taken again": say claim, delete or accept',
      ],
    },
    {
      violation: 'a paraphrase inside an identifier',
      tree: { 'planted/metrics.ts': "name: 'terce_troubles_total'" },
      reported: ['planted/metrics.ts:1 says "trouble": say error'],
    },
  ],
}

function usesOf(term: Term, file: SourceFile): string[] {
  const pattern = new RegExp(`(?<![a-z])(?:${term.words.replaceAll(' ', '[\\s/*#>_]+')})`, 'gi')
  return [...file.text.matchAll(pattern)].map((match) => {
    const line = file.text.slice(0, match.index).split('\n').length
    const said = match[0].replace(/[\s/*#>_]+/g, ' ')
    return `${file.path}:${line} says "${said}": say ${term.instead}`
  })
}
