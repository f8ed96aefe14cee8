import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { MARKS_MAX } from '../../src/domain/messages/liquid.ts'
import { FILTERS_MAX } from '../../src/domain/messages/liquid-check.ts'
import { TEMPLATE_MAX } from '../../src/domain/messages/liquid-engine.ts'
import { FILTERS, TAGS } from '../../src/domain/messages/liquid-language.ts'
import { renderMessage } from '../../src/domain/messages/message.ts'
import { type Facts, VARIABLES, variableOf } from '../../src/domain/messages/message-variables.ts'
import {
  CPU_MAX_MS,
  RENDERED_MAX,
  STEP_WORK,
  VALUE_WORK,
  WORK_MAX,
} from '../../src/domain/messages/render-budget.ts'
import { SUBJECT_MAX } from '../../src/domain/messages/template.ts'
import { BUILT_IN_TEXTS } from '../../src/domain/occasions/occasion-types.ts'
import { tzdb } from '../../src/domain/time/tzdb.ts'
import { startTerce } from '../runtimes/support/terce-process.ts'
import { rowsOf, spansOf } from './support/tables.ts'

const run = promisify(execFile)
const page = readFileSync(new URL('../../docs/templates.md', import.meta.url), 'utf8')

function blocks(language: string): string[] {
  return [...page.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    (match) => match[1]!,
  )
}

const NINE = Date.parse('2026-12-15T16:00:00Z')
const ADA: Facts = {
  event: {
    id: 'e',
    occasionId: 'o',
    occurrence: '2026',
    targetAt: NINE,
    offsetSeconds: -25_200,
    timezone: 'America/Vancouver',
    tzVersion: 'test',
    eventType: 'BIRTHDAY',
    occasion: { date: null },
  },
  person: {
    id: 'u',
    externalId: 'crm-4711',
    firstName: 'Ada',
    lastName: 'Lovelace',
    dateOfBirth: '1990-12-15',
    language: 'en',
  },
  now: NINE,
  table: tzdb,
}

describe('the page on templates', () => {
  it('has commands that work and answers that are given', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'terce-templates-'))
    const terce = await startTerce({ DATABASE_URL: `sqlite:${join(folder, 'terce.db')}` })
    const standIn = new URL('./support/curl.ts', import.meta.url).pathname
    const orStandIn = `command -v curl > /dev/null || curl() { "${process.execPath}" "${standIn}" "$@"; }\n`
    const shell = async (commands: string) =>
      (
        await run('bash', [
          '-euo',
          'pipefail',
          '-c',
          orStandIn + commands.replaceAll('localhost:3000', terce.url),
        ])
      ).stdout
    try {
      const [store, preview] = blocks('sh')
      const listed = await shell(store!)
      expect(JSON.parse(listed.slice(listed.indexOf('{"items"'))).items).toMatchObject([
        { type: 'BIRTHDAY', language: null, version: 1 },
        { type: 'BIRTHDAY', language: 'de', subject: 'Alles Gute!', version: 1 },
      ])
      expect(JSON.parse(await shell(preview!))).toEqual(JSON.parse(blocks('json')[0]!))
    } finally {
      await terce.kill('SIGKILL')
      rmSync(folder, { recursive: true })
    }
  })

  it('has examples that say what it says', () => {
    const lines = blocks('text')[0]!.trimEnd().split('\n')
    expect(lines.length).toBeGreaterThan(3)
    for (const line of lines) {
      const [body, expected] = line.split(/ {3,}/)
      expect(renderMessage(ADA, { body: body!, subject: null, from: 'the page', isStored: false })).toBe(
        expected,
      )
    }
  })

  it('names every variable with a value it has', () => {
    const rows = rowsOf('docs/templates.md', 'variable', 'example').map((row) =>
      row.slice(0, 2).flatMap(spansOf),
    )
    expect(rows).toEqual(VARIABLES.map((name) => [name, String(variableOf(name, ADA))]))
  })

  it('names every tag, every filter and every built-in text', () => {
    const named = (heading: string) =>
      [...new RegExp(`^${heading}: ([\\s\\S]*?)\n\n`, 'm').exec(page)![1]!.matchAll(/`([a-z_#]+)`/g)].map(
        ([, name]) => name,
      )
    expect(named('Tags')).toEqual([...TAGS])
    expect(named('Filters')).toEqual([...FILTERS.keys()])
    const texts = rowsOf('docs/templates.md', 'type', 'built-in text').map((row) => row.flatMap(spansOf))
    expect(Object.fromEntries(texts)).toEqual(BUILT_IN_TEXTS)
  })

  it('lists every limit with its number', () => {
    const numbers = rowsOf('docs/templates.md', 'limit', 'at most').map(([, number]) =>
      Number(number!.replaceAll(',', '')),
    )
    expect(numbers).toEqual([
      ...[TEMPLATE_MAX, SUBJECT_MAX, MARKS_MAX, FILTERS_MAX],
      ...[RENDERED_MAX, WORK_MAX, CPU_MAX_MS],
    ])
    expect(page).toContain(
      `${STEP_WORK}\nfor each tag, output, variable, filter and operator, and ${VALUE_WORK} for`,
    )
  })
})
