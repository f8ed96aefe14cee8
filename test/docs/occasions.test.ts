import { describe, expect, it } from 'vitest'
import { readPage, withShell } from './support/page.ts'

describe('the pages on occasions and tasks', () => {
  it('have commands that work', async () => {
    const occasions = readPage('occasions.md')
    const tasks = readPage('tasks.md')
    await withShell(async (shell) => {
      const [add, preview, late] = occasions.blocks('sh')
      const listed = await shell(add!)
      const items = JSON.parse(listed.slice(listed.lastIndexOf('{"items"'))).items
      expect(items.map(({ type }: { type: string }) => type)).toEqual([
        'BIRTHDAY',
        'WORK_ANNIVERSARY',
        'STANDUP',
      ])
      expect(JSON.parse(await shell(preview!)).occurrences).toHaveLength(3)
      await shell(late!)
      const told = await shell(tasks.blocks('sh')[0]!)
      expect(told).toContain('"nextReminderAt":"2030-01-14T16:00:00.000Z"')
      expect(JSON.parse(told.slice(told.lastIndexOf('{"items"'))).items).toMatchObject([{ completed: true }])
    })
  })

  it('name every field of an occasion', () => {
    const { text } = readPage('occasions.md')
    const fields = 'type date localTime repeats calendar leapDay until template channel notAfter sendTodayNow'
    for (const field of fields.split(' ')) expect(text).toMatch(new RegExp(`^\\| \`${field}\` \\|`, 'm'))
  })
})
