// Names that are probably misspelt: settings and commands.
import { describe, expect, it } from 'vitest'
import { misspeltSettings } from '../../src/cli/misspelt.ts'
import { readConfig } from '../../src/runtimes/config/config.ts'
import { useFolder } from './support/run-command.ts'

const meant = (env: Record<string, string>) => misspeltSettings(env).map(({ meant }) => meant)

describe('misspeltSettings()', () => {
  it.each([
    ['WEBHOK_URL', 'WEBHOOK_URL'],
    ['DELIVERAT', 'DELIVER_AT'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['webhook_url', 'WEBHOOK_URL'],
    ['PROT', 'PORT'],
    ['TERCE_API_KYE', 'TERCE_API_KEY'],
  ])('finds the setting that %s stands for', (name, setting) => {
    expect(meant({ [name]: 'x' })).toEqual([setting])
  })

  it('finds nothing in variables of other programs, and in settings', () => {
    const others = [
      'HOME',
      'HOSTNAME',
      'PATH',
      'PWD',
      'POSTGRES_URL',
      'REDIS_URL',
      'WEB_CONCURRENCY',
      'LOGNAME',
    ]
    const kubernetes = ['TERCE_PORT', 'TERCE_SERVICE_HOST', 'TERCE_SERVICE_PORT']
    const names = [...others, ...kubernetes, ...readConfig({}).settings.map(({ name }) => name)]
    for (const name of names) expect([name, meant({ [name]: 'x' })]).toEqual([name, []])
  })

  it('accepts a similar name beside the setting itself', () => {
    expect(meant({ WEBHOOK_URL: 'x', WEBHOOK_URL2: 'x' })).toEqual([])
  })
})

describe('terce', () => {
  const folder = useFolder()

  it.each([
    ['previw', 'previw', ' Did you mean preview?', 'terce'],
    ['keys creat', 'creat', ' Did you mean create?', 'terce keys'],
    ['tz everything', 'everything', '', 'terce tz'],
  ])('%s is an unknown command', async (line, word, guess, group) => {
    const { code, stderr } = await folder.terce(line.split(' '))
    const list = `Run ${group} --help for the list.`
    expect([code, stderr]).toEqual([2, `terce: Unknown command "${word}".${guess} ${list}\n`])
  })

  it('tail names the command that replaces it', async () => {
    const { code, stderr } = await folder.terce(['tail', '--json'])
    expect([code, stderr]).toEqual([2, 'terce: terce tail was removed. Use terce events --follow.\n'])
  })

  it.each(['start', 'serve'])('%s runs the service', async (word) => {
    const { code, stderr } = await folder.terce([word], {
      PORT: 'x',
      WEBHOK_URL: 'http://user:pass@crm.example',
    })
    expect([code, stderr]).toEqual([2, 'terce: PORT=x is not usable. Give a port number from 0 to 65535.\n'])
  })
})
