// Closed days that were altered.

export type SealLie = {
  lie: string
  /** Each must change a row. */
  sql: readonly string[]
  /** The day is closed once more after the statements. */
  closedAgain?: true
  /** Every sentence of the check. */
  found: readonly string[]
  /** The errors of the verifier in the exported file: code and day, each once. */
  verifier: readonly string[]
}

const DAY = `day = '2027-03-10'`
const LINE = `${DAY} AND commitment = (SELECT min(commitment) FROM ledger_lines WHERE ${DAY})`
const HASH = 'f'.repeat(64)
const OTHER_KEY = `${'A'.repeat(43)}=`

const ROOT = 'A line of 2027-03-10 was altered, added or removed.'
const COMMITMENT = '2027-03-10 has lines that differ from their commitment: 1.'
const SIGNATURE =
  'The signature of 2027-03-10 does not fit its header: a count, the root or a date was altered.'
const CUT_AFTER = '2027-03-11 does not continue 2027-03-10: one of them was altered or replaced.'
const CUT_BEFORE = '2027-03-10 does not continue 2027-03-09: one of them was altered or replaced.'
const count = (name: string, says: number, lines: number) =>
  `The account of 2027-03-10 says ${name} ${says}, and its lines give ${lines}.`
const otherKey = (day: string) => `${day} is signed with another key than those of the installation.`

const [WRONG_COUNT, WRONG_ROOT] = ['WRONG_COUNT 2027-03-10', 'WRONG_ROOT 2027-03-10']
const [BAD_SIGNATURE, CHAIN_CUT] = ['BAD_SIGNATURE 2027-03-10', 'CHAIN_CUT 2027-03-11']

/** An altered line has its commitment and its column in the file, which are as they were. */
const ofLine = (lie: string, set: string): SealLie => ({
  lie,
  sql: [`UPDATE ledger_lines SET ${set} WHERE ${LINE}`],
  found: [COMMITMENT],
  verifier: [],
})

const ofDay = (
  lie: string,
  set: string,
  { found = [], verifier = [] }: { found?: readonly string[]; verifier?: readonly string[] } = {},
): SealLie => ({
  lie,
  sql: [`UPDATE ledger_days SET ${set} WHERE ${DAY}`],
  found: [CUT_AFTER, SIGNATURE, ...found],
  verifier: [BAD_SIGNATURE, ...verifier, CHAIN_CUT],
})

export const LIES_ABOUT_SEALS: readonly SealLie[] = [
  ofLine('the time of a delivery was altered', 'settled_at = settled_at - 1'),
  ofLine('a line was put under another event', `event_id = 'another'`),
  ofLine('the salt of a line was altered', `salt = '00'`),
  ofLine('the salt of a line was removed, and its ids were left', 'salt = NULL'),
  {
    lie: 'the column of a line was altered',
    sql: [`UPDATE ledger_lines SET place = 'failed' WHERE ${LINE}`],
    found: [ROOT, COMMITMENT, count('delivered', 4, 3), count('failed', 0, 1)],
    verifier: [WRONG_COUNT, WRONG_ROOT],
  },
  {
    lie: 'a line was deleted',
    sql: [`DELETE FROM ledger_lines WHERE ${LINE}`],
    found: [ROOT, count('expected', 4, 3), count('delivered', 4, 3)],
    verifier: [WRONG_COUNT, WRONG_ROOT],
  },
  {
    lie: 'a line was added',
    sql: [`INSERT INTO ledger_lines (day, commitment, place) VALUES ('2027-03-10', '${HASH}', 'delivered')`],
    found: [ROOT, count('expected', 4, 5), count('delivered', 4, 5)],
    verifier: [WRONG_COUNT, WRONG_ROOT],
  },
  ofDay('the root of a day was altered', `root = '${HASH}'`, { found: [ROOT], verifier: [WRONG_ROOT] }),
  ofDay('the chain was cut', `previous = '${HASH}'`, {
    found: [CUT_BEFORE],
    verifier: ['CHAIN_CUT 2027-03-10'],
  }),
  ofDay('the number of delivered messages of a day was raised', 'delivered = delivered + 1', {
    found: [count('delivered', 5, 4)],
    verifier: [WRONG_COUNT],
  }),
  ofDay('the number of expected messages of a day was lowered', 'expected = expected - 1', {
    found: [count('expected', 3, 4)],
    verifier: [WRONG_COUNT],
  }),
  ofDay('the number of people of a day was altered', 'people = people - 1'),
  ofDay('the time of closing was altered', 'closed_at = closed_at - 1'),
  {
    lie: 'the signature of a day was replaced by that of another day',
    sql: [
      `UPDATE ledger_days SET signature = (SELECT signature FROM ledger_days WHERE day = '2027-03-09') WHERE ${DAY}`,
    ],
    found: [SIGNATURE],
    verifier: [BAD_SIGNATURE],
  },
  {
    lie: 'the key of a day was replaced',
    sql: [`UPDATE ledger_days SET public_key = '${OTHER_KEY}' WHERE ${DAY}`],
    found: [otherKey('2027-03-10')],
    verifier: [BAD_SIGNATURE],
  },
  {
    lie: 'the key of the installation was replaced',
    sql: [`UPDATE ledger_keys SET public_key = '${OTHER_KEY}'`],
    found: ['2027-03-11', '2027-03-10', '2027-03-09', '2027-03-08'].map(otherKey),
    verifier: [],
  },
  {
    lie: 'the seal of a day was removed',
    sql: [`UPDATE ledger_days SET root = NULL WHERE ${DAY}`],
    found: [CUT_AFTER, 'The seal of 2027-03-10 is incomplete.'],
    verifier: ['DAY_MISSING 2027-03-11'],
  },
  {
    lie: 'a day was deleted from the middle',
    sql: [`DELETE FROM ledger_days WHERE ${DAY}`],
    found: ['The days between 2027-03-09 and 2027-03-11 are missing.'],
    verifier: ['DAY_MISSING 2027-03-11'],
  },
  {
    lie: 'the lines of a day were deleted, and the day was marked as pruned',
    sql: [
      `DELETE FROM ledger_lines WHERE ${DAY}`,
      `UPDATE ledger_days SET pruned_at = closed_at + 1 WHERE ${DAY}`,
    ],
    found: ['The lines of 2027-03-10 were removed before a prune removes them.'],
    verifier: [],
  },
  {
    // A file may begin on any day.
    lie: 'the first day was deleted',
    sql: [`DELETE FROM ledger_days WHERE day = '2027-03-08'`],
    found: ['The days before 2027-03-09 are missing: it continues a day that is gone.'],
    verifier: [],
  },
  {
    lie: 'a day was opened and closed again without one of its lines',
    sql: [
      `DELETE FROM ledger_lines WHERE ${LINE}`,
      `UPDATE ledger_days SET closed_at = NULL, cursor = 'done' WHERE ${DAY}`,
    ],
    closedAgain: true,
    found: [CUT_AFTER],
    verifier: [CHAIN_CUT],
  },
]
