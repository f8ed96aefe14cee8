import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { startTerce, type TerceProcess } from '../runtimes/support/terce-process.ts'

const run = promisify(execFile)
const root = new URL('../../', import.meta.url)
const readme = readFileSync(new URL('README.md', root), 'utf8')

function blocks(language: string): string[] {
  return [...readme.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    (match) => match[1]!,
  )
}

/** Runs commands of the walk as they stand, against the address given. */
async function shell(commands: string, url: string): Promise<string> {
  const standIn = new URL('./support/curl.ts', import.meta.url).pathname
  const orStandIn = `command -v curl > /dev/null || curl() { "${process.execPath}" "${standIn}" "$@"; }\n`
  const script = orStandIn + commands.replaceAll('localhost:3000', url)
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script])
  return stdout
}

/** Starts as the walk does, with nine o'clock only seconds away, and creates the person before it comes. */
async function startWalk(
  folder: string,
  create: string,
): Promise<{ terce: TerceProcess; created: string; dueAt: number }> {
  for (let leadMs = 4_000; ; leadMs *= 2) {
    const dueAt = Math.ceil((Date.now() + leadMs) / 1000) * 1000
    const terce = await startTerce({
      DATABASE_URL: `sqlite:${join(folder, `walk-${leadMs}.db`)}`,
      DELIVER_AT: new Date(dueAt).toISOString().slice(11, 19),
    })
    const created = await shell(create, terce.url).catch(async (error) => {
      await terce.kill('SIGKILL')
      throw error
    })
    const due = JSON.parse(created).nextBirthdayEvent.targetTimestampUTC
    if (Date.parse(due) === dueAt) return { terce, created, dueAt }
    await terce.kill('SIGKILL')
  }
}

async function eventually(look: () => Promise<string>, expected: RegExp): Promise<void> {
  while (!expected.test(await look())) await new Promise((resolve) => setTimeout(resolve, 100))
}

describe('the README', () => {
  it('has a walk whose every line works', async () => {
    const [, start, create, reject, lookAtEvent, heal] = blocks('sh')
    expect(start).toMatch(/^DELIVER_AT=.+ npm start\n$/)
    const folder = mkdtempSync(join(tmpdir(), 'terce-walk-'))
    const { terce } = await startWalk(folder, create!)
    try {
      await shell(reject!, terce.url)
      // Until the minute comes there is no event to look at.
      await eventually(
        () => shell(lookAtEvent!, terce.url).catch(() => ''),
        /"status":"PROCESSING".*"outcome":"PARKED"/,
      )
      const [accept, sleep, inbox, events] = heal!.trim().split('\n')
      expect(sleep).toBe('sleep 5')
      await shell(accept!, terce.url)
      await eventually(() => shell(inbox!, terce.url), /Hey, Ada Lovelace it's your birthday/)
      expect(JSON.parse(await shell(inbox!, terce.url)).items).toHaveLength(1)
      await eventually(() => shell(events!, terce.url), /COMPLETED.*PENDING/)
    } finally {
      await terce.kill('SIGKILL')
      rmSync(folder, { recursive: true })
    }
  })

  it('has a walk that leaves no process behind if the person cannot be created', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'terce-walk-'))
    const processes = () => process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length
    const before = processes()
    await expect(startWalk(folder, 'exit 1')).rejects.toThrow()
    expect(processes()).toBe(before)
    rmSync(folder, { recursive: true })
  })

  it('names buttons and pages in the first minute that the dashboard has', () => {
    const [, minute] = /## The first minute, by mouse\n([\s\S]+?)\n## /.exec(readme)!
    const labels = [...minute!.matchAll(/\*\*(.+?)\*\*/g)].map((match) => match[1]!)
    const web = new URL('web/src/', root)
    const sources = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.tsx?$/.test(name),
    )
    const code = sources.map((name) => readFileSync(new URL(name, web), 'utf8')).join('\n')
    expect(labels.length).toBeGreaterThan(4)
    expect(labels.filter((label) => !code.includes(label))).toEqual([])
  })

  it('names commands that there are', () => {
    const { scripts, version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
    expect(blocks('sh')[0]).toContain('npm ci && npm start')
    const named = [...readme.matchAll(/terce-[\d.]+\.tgz/g)].map((match) => match[0])
    expect(named).toEqual([`terce-${version}.tgz`])
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['start', 'test']))
  })

  it('links only to pages that exist', () => {
    const links = [...readme.matchAll(/(?:\]\(|src(?:set)?=")(?!http)([^)#"]+)[)"#]/g)].map(
      (match) => match[1]!,
    )
    expect(links.length).toBeGreaterThan(3)
    for (const link of links)
      expect(() => new URL(link, root) && readFileSync(new URL(link, root))).not.toThrow(/ENOENT/)
  })

  it('has no sentence of more than 30 words', () => {
    const long = sentencesIn(readme).filter((sentence) => wordsIn(sentence) > 30)
    expect(long).toEqual([])
    expect(sentencesIn(`${'word '.repeat(31)}end.\n`).map(wordsIn)).toEqual([32])
  })

  it('opens with the promise in one short sentence, and a picture in light and dark', () => {
    const [, promise, picture] = readme.split('\n\n')
    expect(promise).toMatch(/^\*\*[^.]+\.\*\*$/)
    expect(wordsIn(promise!)).toBeLessThan(16)
    expect(picture).toMatch(/prefers-color-scheme: dark.*-dark\.png.*-light\.png/s)
  })
})

/** The sentences of the text. Code blocks and HTML are left out; each item of a list and each cell of a table stands alone. */
function sentencesIn(text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, '\n').replaceAll(/<[^>]+>/g, '')
  const blocks = prose.split(/\n\s*\n|\n(?=\s*(?:[-*|#]|\d+\.) ?)|\|/)
  return blocks.flatMap((block) =>
    block.replaceAll(/\s+/g, ' ').split(/(?<=[.!?])\**\)? (?=[*`[(]*[A-Z0-9`¹²³⁴])/),
  )
}

function wordsIn(sentence: string): number {
  const spoken = sentence.replaceAll(/`[^`]*`/g, 'code').replaceAll(/\]\([^)]*\)/g, ']')
  return spoken.split(' ').filter((word) => /\p{L}|\p{N}/u.test(word)).length
}
