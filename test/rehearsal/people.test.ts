import { describe, expect, it } from 'vitest'
import { tzdb } from '../../src/domain/time/tzdb.ts'
import { readPeople } from '../../src/rehearsal/people.ts'

const JUDGE = { now: Date.parse('2026-11-15T00:00Z'), table: tzdb }

function read(...lines: string[]) {
  async function* pieces() {
    yield lines.join('\n')
  }
  return readPeople(pieces(), JUDGE)
}

describe('a table of people', () => {
  it('is parsed into people as by the API', async () => {
    expect(
      await read(' timezone ,dateOfBirth,lastName,firstName', 'asia/jakarta, 1990-12-15 , Lovelace ,Ada'),
    ).toMatchObject({
      people: [
        {
          who: 'line 2',
          firstName: 'Ada',
          lastName: 'Lovelace',
          dateOfBirth: '1990-12-15',
          timezone: 'Asia/Jakarta',
        },
      ],
      problems: [],
    })
  })

  it('without a required column reports every missing column and reads no row', async () => {
    expect(await read('name,dateOfBirth,zone', 'Ada')).toEqual({
      people: [],
      problems: [
        'line 1: There is no column firstName. The first line names the columns, separated by commas.',
        'line 1: There is no column lastName. The first line names the columns, separated by commas.',
        'line 1: There is no column timezone or location. The first line names the columns, separated by commas.',
      ],
    })
  })

  it('with two columns for one field is rejected', async () => {
    expect(await read('firstName,lastName,dateOfBirth,birthDate,timezone')).toEqual({
      people: [],
      problems: ['line 1: There are 2 columns for dateOfBirth. Keep one of them.'],
    })
  })

  it('without any row is reported as empty', async () => {
    expect(await read('')).toEqual({ people: [], problems: ['It lists no people.'] })
  })

  it('has problems that never quote a name', async () => {
    const { problems } = await read(
      'firstName,lastName,dateOfBirth,timezone',
      'Ada,Love\u0007lace,1990-12-15,Etc/UTC',
    )
    expect(problems).toEqual([
      'line 2, lastName: The name contains control characters or invalid Unicode. Remove them.',
    ])
  })
})
