import { beforeEach, describe, expect, it } from 'vitest'
import { useFolder } from '../support/run-command.ts'

const folder = useFolder()
const PEOPLE = ['rehearse', '--csv', 'people.csv']
const YEAR = ['--from', '2026-01-01', '--to', '2026-12-31']
const OUTAGE = ['--outage', '2026-12-15T00:00Z/PT6H']

beforeEach(() => {
  folder.write(
    'people.csv',
    [
      'firstName,lastName,dateOfBirth,timezone',
      'Ada,Lovelace,1992-02-29,America/Vancouver',
      'Grace,Hopper,1990-12-15,Asia/Jakarta',
      'Zoë,"Smith, Jr.",1988-12-15,Europe/London',
    ].join('\n'),
  )
})

describe('terce rehearse', () => {
  it('reports a year without an outage', async () => {
    const { code, stdout } = await folder.terce([...PEOPLE, ...YEAR])
    expect(code).toBe(0)
    expect(stdout).toBe(
      [
        '3 people, 2026-01-01 to 2026-12-31, timezones IANA 2026f',
        'no outage',
        '',
        'events due                3',
        'delivered                 3',
        '  on time                 3  (within a minute)',
        '  late                    0',
        'failed                    0',
        '',
        'attempts                  3',
        'retries                   0',
        'ambiguous repeats         0  (response lost: sent again with the same key)',
        'busiest minute            1  (attempts in the minute from 2026-03-01 17:00Z)',
        '',
      ].join('\n'),
    )
  })

  it('explains failures that used up their retries during an outage, and how to avoid them', async () => {
    const { code, stdout, stderr } = await folder.terce([...PEOPLE, ...YEAR, ...OUTAGE], { RETRY: 'none' })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^failed +1$/m)
    expect(stdout.slice(stdout.indexOf('The receiver'))).toBe(
      [
        'The receiver was down for 6 h. With RETRY=none a first attempt without a response is final; with retries, events wait for the receiver.',
        '',
        'Failed, by reason:',
        '        1  RETRIES_EXHAUSTED: 1 attempt, the last: CONNECTION: ECONNREFUSED',
        'Failed, by time:',
        '  line 3: 2026, due 2026-12-15 02:00Z',
        '',
      ].join('\n'),
    )
    expect(stdout + stderr).not.toMatch(/Grace|Hopper|1990/)
  })

  it('uses RETRY from the environment, and prints how late the delivery was', async () => {
    const { stdout } = await folder.terce([...PEOPLE, ...YEAR, ...OUTAGE], { RETRY: '1m,10m,1h,6h' })
    expect(stdout).toMatch(/^failed +0$/m)
    expect(stdout).toMatch(/^ {2}late +1 {2}\(by \d+ h \d+ (min|s)\)$/m)
  })

  it('prints the report as one JSON object with --json', async () => {
    const { code, stdout } = await folder.terce([...PEOPLE, ...YEAR, ...OUTAGE, '--json'], { RETRY: 'none' })
    expect(code).toBe(0)
    expect(stdout.trim().split('\n')).toHaveLength(1)
    expect(JSON.parse(stdout)).toEqual({
      from: '2026-01-01T00:00:00.000Z',
      before: '2027-01-01T00:00:00.000Z',
      tzVersion: '2026f',
      outage: { from: '2026-12-15T00:00:00.000Z', before: '2026-12-15T06:00:00.000Z' },
      people: 3,
      eventsDue: 3,
      delivered: 2,
      onTime: 2,
      late: 0,
      medianLateMs: null,
      worstLateMs: null,
      attempts: 3,
      retries: 0,
      open: 0,
      unaccounted: 0,
      ambiguousRepeats: 0,
      busiestMinute: { at: '2026-03-01T17:00:00.000Z', attempts: 1 },
      failed: [
        {
          who: 'line 3',
          occurrence: '2026',
          dueAt: '2026-12-15T02:00:00.000Z',
          reason: 'RETRIES_EXHAUSTED: 1 attempt, the last: CONNECTION: ECONNREFUSED',
        },
      ],
    })
  })

  it('prints progress to standard error, in plain lines if there is no terminal', async () => {
    const { stderr } = await folder.terce([...PEOPLE, ...YEAR])
    expect(stderr.split('\n')).toHaveLength(11)
    expect(stderr).toMatch(/^ 10 % {2}2026-02-06\n/)
    expect(stderr).toMatch(/\n100 % {2}2027-01-01\n$/)
  })

  it('exits with 1 if an event has no outcome', async () => {
    const { code, stdout, stderr } = await folder.terce(
      // Longer than an event waits for its destination without using a retry.
      [...PEOPLE, '--from', '2026-01-01', '--to', '2028-12-31', '--outage', '2026-12-15T00:00Z/P9D'],
      { RETRY: '100000d' },
    )
    expect(code).toBe(1)
    expect(stdout).toMatch(/^unaccounted for +4$/m)
    expect(stderr).toMatch(/^terce: 4 of the due events have no outcome\. /m)
  })

  it.each([
    [['--outage', 'noon'], /^terce: --outage noon is not usable. Give start and length/],
    [['--outage', '2028-01-01T00:00Z/PT1H'], /^terce: --outage .* is not within --from and --to/],
    [['--seed', 'x'], /^terce: --seed x is not usable. Use a whole number, such as 1.\n$/],
    [['--to', '2025-01-01'], /^terce: --to 2025-01-01 is before --from 2026-01-01/],
    [
      ['--from', '1991-01-01'],
      /^terce: people.csv: line 2, dateOfBirth: 1992-02-29 is in the future in America/,
    ],
  ])('exits with 2 and one line for %j', async (args, line) => {
    const { code, stdout, stderr } = await folder.terce([...PEOPLE, ...YEAR, ...args])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(line)
  })

  it('exits with 2 if an environment variable is invalid', async () => {
    const { code, stderr } = await folder.terce([...PEOPLE, ...YEAR], { RETRY: 'often' })
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^terce: RETRY=often is not usable. Give .*\n$/),
    })
  })
})
