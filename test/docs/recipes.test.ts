// docs/recipes.md and docs/troubleshooting.md: the commands work as written, and have the effect that the pages describe.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { COMMAND } from '../cli/support/run-command.ts'
import { useProject } from '../client/support/project.ts'
import type { Json } from '../http/support/test-app.ts'
import { readPage, withShell } from './support/page.ts'

const page = readPage('recipes.md')
const project = useProject()

/** The command of this checkout, for a shell. */
const TERCE = `terce() { "${process.execPath}" "${COMMAND}" "$@"; }\n`

it('has recipes that work, one after the other', async () => {
  const [person, trial, paid, digest, hour, hold, release, channels, brand] = page.blocks('sh')
  expect(page.blocks('sh')).toHaveLength(9)
  const settings = { TERCE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }
  await withShell(async (shell, url) => {
    const inProject = (commands: string) => shell(`cd "${project.path}"\n${commands}`)
    await inProject(person!)
    const ID = /"user":\{"id":"([^"]*)"/.exec(readFileSync(join(project.path, 'person.json'), 'utf8'))![1]
    const withPerson = (commands: string) => inProject(`ID=${ID}\n${commands}`)
    const occasions = async (): Promise<Json[]> =>
      ((await (await fetch(`${url}/user/${ID}/occasion`)).json()) as Json).items

    expect(JSON.parse(await withPerson(trial!))).toMatchObject({
      next: { targetTimestampLocal: '2030-06-12T09:00:00-07:00' },
    })
    await withPerson(paid!)
    await withPerson(digest!)
    const [birthday, weekly] = await occasions()
    expect(weekly).toMatchObject({ type: 'DIGEST' })
    expect(new Date(weekly!.next.occurrence).getUTCDay()).toBe(1)

    // The digest has the old hour too.
    const run = (commands: string) => inProject(`${TERCE}export TERCE_URL=${url}\n${commands}`)
    expect(await run(hour!)).toBe(
      '2 occasions among 1 person would move to 08:00, with 2 events.\n2 occasions among 1 person moved to 08:00, with 2 events.\n',
    )
    expect((await occasions())[0]).toMatchObject({ id: birthday!.id, localTime: '08:00' })

    expect(await run(hold!)).toContain(': inbox, handlers. Messages that fall due wait.')
    expect(await run(release!)).toContain('Released: inbox')

    await withPerson(channels!)
    expect(JSON.parse(await withPerson(brand!)).occasion).toMatchObject({
      id: birthday!.id,
      type: 'BIRTHDAY',
    })
  }, settings)
})

it('looks for what is wrong by commands that work', async () => {
  const { text } = readPage('troubleshooting.md')
  const commands = [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)].map(([, block]) => block!)
  const [first, where, stopped, failed] = commands
  expect(commands).toHaveLength(4)
  await withShell(async (shell) => {
    const [person] = page.blocks('sh')[0]!.split(' | tee')
    await shell(person!)
    const found = await shell(TERCE + first!.replaceAll('http://localhost', 'localhost'))
    expect(found).toContain('ok    server')
    expect(found).toMatch(/"nextReason":null[\s\S]*America\/Vancouver/)
    expect(await shell(where!)).toContain('"mode":"accept"')
    expect(JSON.parse(await shell(stopped!))).toMatchObject({ stoppedChannels: [] })
    expect(await shell(failed!)).toContain('[]')
  })
})
