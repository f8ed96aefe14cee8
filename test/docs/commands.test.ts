// The commands and programs of the pages, run as a reader would, one after the other, against a Terce of their own.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { useProject } from '../client/support/project.ts'
import type { Json } from '../http/support/test-app.ts'
import { seedDuePeople } from '../runtimes/support/due-people.ts'
import { startSink } from '../runtimes/support/sink.ts'
import { until } from '../support/until.ts'
import { readPage, withShell } from './support/page.ts'

const project = useProject()
const commandsOf = (name: string) => readPage(name).blocks('sh')
const lastList = (printed: string) =>
  JSON.parse(printed.slice(printed.lastIndexOf('{"items"'))).items as Json[]

it('docs/access.md makes a key and calls with it, and from then on nobody gets in without one', async () => {
  await withShell(async ({ shell, url }) => {
    const [create] = commandsOf('access.md')
    const printed = await shell(create!.replace('node bin/terce.js', 'terce'))
    expect(JSON.parse(printed)).toEqual({ items: [], nextCursor: null })
    const status = async () => (await fetch(`${url}/user`)).status
    await until('the key is needed', status, (seen) => seen === 401)
  })
})

it('docs/client.md has a program that prints what the page shows', async () => {
  const page = readPage('client.md')
  await withShell(async ({ url }) => {
    const program = page.blocks('ts').join('\n')
    const { code, stdout, stderr } = await project.run(program, { TERCE_URL: url })
    expect({ code, stderr, stdout }).toEqual({ code: 0, stderr: '', stdout: page.blocks('text').join('') })
  })
})

it('docs/import-export.md imports people, exports them as a whole and in pages, and prints what it shows', async () => {
  const page = readPage('import-export.md')
  await withShell(async ({ shell, folder, output }) => {
    const [importing, sending, exporting, paging, calendar] = page.blocks('sh')
    writeFileSync(join(folder, 'people.csv'), page.blocks('csv')[0]!)
    expect(await shell(`${importing!.trim()} || echo "exit code $?"`)).toBe(
      `${page.blocks('stdout')[0]}exit code 1\n`,
    )
    const rejected = readFileSync(join(folder, 'rejected.csv'), 'utf8')
    expect(rejected.replaceAll('\r\n', '\n')).toBe(page.blocks('rejected')[0])
    expect(JSON.parse(await shell(sending!))).toEqual(JSON.parse(page.blocks('json')[0]!))

    const people = (await shell(exporting!)).trimEnd().split('\n')
    expect(people.map((line) => JSON.parse(line).firstName)).toEqual(['Ada', 'Raden', undefined])
    const table = readFileSync(join(folder, 'everybody.csv'), 'utf8')
    expect(await shell(paging!.replaceAll('limit=10000', 'limit=1'))).toContain('#end,')
    expect(readFileSync(join(folder, 'everybody.csv'), 'utf8')).toBe(table)

    expect(await shell(calendar!)).toContain('SUMMARY:Ada Lovelace: BIRTHDAY')
    expect(output()).not.toMatch(/calendar|terce_|Lovelace|Kartini|1990-12-15/)
  })
})

it('docs/templates.md stores texts and previews one', async () => {
  const page = readPage('templates.md')
  await withShell(async ({ shell }) => {
    const [store, preview] = page.blocks('sh')
    expect(lastList(await shell(store!))).toMatchObject([
      { type: 'BIRTHDAY', language: null, version: 1 },
      { type: 'BIRTHDAY', language: 'de', subject: 'Alles Gute!', version: 1 },
    ])
    expect(JSON.parse(await shell(preview!))).toEqual(JSON.parse(page.blocks('json')[0]!))
  })
})

it('docs/occasions.md and docs/tasks.md add occasions, preview one, and complete a task', async () => {
  await withShell(async ({ shell }) => {
    const [add, preview, late] = commandsOf('occasions.md')
    const types = lastList(await shell(add!)).map(({ type }) => type)
    expect(types.toSorted()).toEqual(['BIRTHDAY', 'STANDUP', 'WORK_ANNIVERSARY'])
    expect(JSON.parse(await shell(preview!)).occurrences).toHaveLength(3)
    await shell(late!)
    const printed = await shell(commandsOf('tasks.md')[0]!)
    expect(printed).toContain('"nextReminderAt":"2030-01-14T16:00:00.000Z"')
    expect(lastList(printed)).toMatchObject([{ completed: true }])
  })
})

it('docs/operate.md explains a failed event, and replays one and then all', async () => {
  let status = 404
  const receiver = await startSink((response) => {
    response.statusCode = status
    response.end()
  })
  const people = Array(3).fill({ firstName: 'Ada', lastName: 'Lovelace' })
  const prepare = (file: string) => seedDuePeople(file, people)
  await withShell(
    async ({ shell, url }) => {
      const [explain, replay, dryRun, replayAll] = commandsOf('operate.md')
      const settled = (of: string, wanted: number) =>
        until(
          `${wanted} ${of}`,
          async () => ((await (await fetch(`${url}/event?status=${of}`)).json()) as Json).items,
          ({ length }) => length === wanted,
        )
      await settled('FAILED', 3)
      expect(JSON.parse(await shell(explain!)).summary).toContain('the receiver responded with HTTP 404')
      status = 200
      await shell(replay!)
      await settled('COMPLETED', 1)
      expect(JSON.parse(await shell(dryRun!))).toMatchObject({ matched: 3, replayed: 0 })
      expect(JSON.parse(await shell(replayAll!))).toMatchObject({ matched: 3, replayed: 2, skipped: 1 })
      await settled('COMPLETED', 3)
    },
    { prepare, settings: { WEBHOOK_URL: receiver.url } },
  )
  await receiver.close()
})

it('docs/preview.md previews people, and prints what it shows', async () => {
  const { text, blocks } = readPage('preview.md')
  const all = [...text.matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(([, language, block]) => ({
    language,
    block,
  }))
  await withShell(async ({ shell, folder }) => {
    writeFileSync(join(folder, 'people.csv'), blocks('csv')[0]!)
    for (const [i, { language, block }] of all.entries()) {
      if (language !== 'sh') continue
      const shown = all[i + 1]
      const printed = await shell(shown?.language === 'stderr' ? `${block!.trim()} 2>&1 || true` : block!)
      if (shown !== undefined && shown.language !== 'sh') expect(printed).toBe(shown.block)
    }
  })
})

it('docs/recipes.md has recipes that work, one after the other', async () => {
  const [
    person,
    trial,
    extended,
    paid,
    digest,
    weekday,
    ownHour,
    hour,
    hold,
    release,
    channels,
    brand,
    ...more
  ] = commandsOf('recipes.md')
  expect(more).toEqual([])
  await withShell(
    async ({ shell, url, folder }) => {
      await shell(person!)
      const [, ID] = /"user":\{"id":"([^"]*)"/.exec(readFileSync(join(folder, 'person.json'), 'utf8'))!
      const run = (commands: string) => shell(`ID=${ID}\nexport TERCE_URL=${url}\n${commands}`)
      const occasions = async () =>
        ((await (await fetch(`${url}/user/${ID}/occasion`)).json()) as Json).items as Json[]
      expect(JSON.parse(await run(trial!)).next.targetTimestampLocal).toBe('2030-06-12T09:00:00-07:00')
      expect(await run(`${extended}${paid}`)).toContain('2030-06-26T09:00:00-07:00')
      expect((await occasions()).map(({ type }) => type)).toEqual(['BIRTHDAY'])
      await run(digest!)
      const [birthday, weekly] = await occasions()
      expect(weekly!.type).toBe('DIGEST')
      expect(new Date(weekly!.next.occurrence).getUTCDay()).toBe(1)
      expect(JSON.parse(await run(weekday!)).occasion).toMatchObject({
        type: 'BIRTHDAY',
        onWeekend: 'BEFORE',
      })
      expect(JSON.parse(await run(ownHour!)).occasion).toMatchObject({ type: 'BIRTHDAY', localTime: '08:15' })
      expect(await run(hour!)).toContain('1 occasion among 1 person moved to 08:00')
      expect((await occasions()).map(({ localTime }) => localTime)).toEqual(['08:15', '08:00'])
      expect(await run(hold!)).toContain('Messages that fall due wait.')
      expect(await run(release!)).toContain('Released: inbox')
      await run(channels!)
      expect(JSON.parse(await run(brand!)).occasion).toMatchObject({ id: birthday!.id, type: 'BIRTHDAY' })
    },
    { settings: { TERCE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') } },
  )
})

it('docs/troubleshooting.md looks for what is wrong', async () => {
  const [first, where, stopped, failed] = commandsOf('troubleshooting.md')
  await withShell(async ({ shell }) => {
    await shell(commandsOf('recipes.md')[0]!)
    const found = await shell(first!)
    expect(found).toContain('ok    server')
    expect(found).toMatch(/"nextReason":null[\s\S]*America\/Vancouver/)
    expect(await shell(where!)).toContain('"mode":"accept"')
    expect(JSON.parse(await shell(stopped!))).toMatchObject({ stoppedChannels: [] })
    expect(await shell(failed!)).toContain('[]')
  })
})
