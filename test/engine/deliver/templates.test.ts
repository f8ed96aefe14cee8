// Stored templates in the worker: the text that is sent, the cache, and a store that fails.
import { describe, expect, it } from 'vitest'
import type { Template } from '../../../src/domain/messages/template.ts'
import { createTemplates } from '../../../src/engine/deliver/templates.ts'
import { makePerson, SECOND, SERVER_ERROR } from '../../support/fixtures.ts'
import { NINE, useWorld, world } from '../support/use-world.ts'
import { wrapStore } from '../support/world.ts'

function makeTemplate(over: Partial<Template> = {}): Template {
  return {
    ...{ type: 'BIRTHDAY', language: '', subject: null, body: 'All the best, {{ firstName }}' },
    ...{ version: 1, createdAt: 0, updatedAt: 0 },
    ...over,
  }
}

useWorld()

const messages = () => world.channel.sent.map(({ body }) => JSON.parse(body).message).sort()

describe('a stored template', () => {
  it('is sent in the language of the person', async () => {
    await world.store.saveTemplate(makeTemplate())
    await world.store.saveTemplate(makeTemplate({ language: 'pt', body: 'Parabéns, {{ firstName }}' }))
    await world.add({ firstName: 'Ana', language: 'pt-BR' })
    await world.add({ firstName: 'Kai', language: 'fi' })
    await world.add({ firstName: 'Eve' })
    world.start()
    await world.clock.advanceTo(NINE + SECOND)
    expect(messages()).toEqual(['All the best, Eve', 'All the best, Kai', 'Parabéns, Ana'])
  })

  it('is used a few seconds after it was changed; a frozen body keeps the old text', async () => {
    await world.store.saveTemplate(makeTemplate({ body: 'Old' }))
    const early = await world.add()
    world.channel.script(early.events[0]!.id, SERVER_ERROR, SERVER_ERROR)
    world.start()
    await world.clock.advanceTo(NINE)
    await world.store.saveTemplate(makeTemplate({ body: 'New', version: 2 }))
    await world.put(makePerson({ targetAt: NINE + 10 * SECOND, dateOfBirth: '1990-06-15' }))
    world.app.onPlanned(NINE + 10 * SECOND)
    await world.clock.advanceTo(NINE + 11 * SECOND)
    expect(messages()).toEqual(['New', 'Old', 'Old', 'Old'])
  })
})

describe('cached templates', () => {
  function watched() {
    const state = { reads: 0, broken: false }
    const store = wrapStore(world.store, async (_, call) => {
      state.reads += 1
      if (state.broken) throw new Error('no database')
      return call()
    })
    const { clock } = world
    return {
      state,
      templates: createTemplates({ store, clock, telemetry: (notice) => world.notices.push(notice) }),
    }
  }

  it('are read at most once in a second', async () => {
    const { state, templates } = watched()
    await templates.refresh()
    await templates.refresh()
    await world.clock.advance(999)
    await templates.refresh()
    expect(state.reads).toBe(1)
    await world.clock.advance(1)
    await templates.refresh()
    expect(state.reads).toBe(2)
  })

  it('are selected again after they were read again', async () => {
    const { templates } = watched()
    await templates.refresh()
    expect(templates.choose('BIRTHDAY', 'de')).toBeNull()
    await world.store.saveTemplate(makeTemplate())
    expect(templates.choose('BIRTHDAY', 'de')).toBeNull()
    await world.clock.advance(2 * SECOND)
    await templates.refresh()
    expect(templates.choose('BIRTHDAY', 'de')).toEqual(makeTemplate())
    await world.store.removeTemplate(makeTemplate())
    await world.clock.advance(2 * SECOND)
    await templates.refresh()
    expect(templates.choose('BIRTHDAY', 'de')).toBeNull()
  })

  it('are kept while the store fails, and the error is reported', async () => {
    const { state, templates } = watched()
    await world.store.saveTemplate(makeTemplate())
    await templates.refresh()
    state.broken = true
    await world.clock.advance(2 * SECOND)
    await templates.refresh()
    expect(templates.choose('BIRTHDAY', null)).toEqual(makeTemplate())
    expect(world.notices).toContainEqual(
      expect.objectContaining({ kind: 'error', operation: 'load-templates' }),
    )
  })

  it('are used for a minute while the store fails, and not longer', async () => {
    const { state, templates } = watched()
    await templates.refresh()
    state.broken = true
    await world.clock.advance(60 * SECOND)
    await templates.refresh()
    await world.clock.advance(2 * SECOND)
    await expect(templates.refresh()).rejects.toThrow('no database')
  })

  it('that were never read make all events wait: the wrong text would be sent', async () => {
    const { state, templates } = watched()
    state.broken = true
    await expect(templates.refresh()).rejects.toThrow('no database')
  })
})
