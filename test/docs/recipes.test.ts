// docs/recipes.md: its commands work as written, one after the other, and have the effect that it describes.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { useProject } from '../client/support/project.ts'
import type { Json } from '../http/support/test-app.ts'
import { readPage, withShell } from './support/page.ts'

const page = readPage('recipes.md')
const project = useProject()

it('has recipes that work, one after the other', async () => {
  const [person, trial, paid, digest, hour, channels, brand] = page.blocks('sh')
  expect(page.blocks('sh')).toHaveLength(7)
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

    writeFileSync(join(project.path, 'hour.js'), page.blocks('js')[0]!.replace('http://localhost:3000', url))
    expect(await inProject(hour!.replaceAll('node', `"${process.execPath}"`))).toBe(
      '1 would change\n1 changed\n',
    )
    expect((await occasions())[0]).toMatchObject({ id: birthday!.id, localTime: '08:00' })

    await withPerson(channels!)
    expect(JSON.parse(await withPerson(brand!)).occasion).toMatchObject({
      id: birthday!.id,
      type: 'BIRTHDAY',
    })
  }, settings)
})
