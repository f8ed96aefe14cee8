// The external id of a person, on every resource of the API that names the person.
import { describe, expect, it } from 'vitest'
import { createPerson, DUE, FAILED, work } from '../support/event-steps.ts'
import { createTestApp } from '../support/test-app.ts'

describe('the externalId of a person', () => {
  it('is in the event that their creation plans, in lists of events, in one event and in a replay', async () => {
    const testApp = createTestApp()
    const { user, nextBirthdayEvent: event } = await createPerson(testApp, { externalId: 'crm-1' })
    expect(event).toMatchObject({ externalId: 'crm-1' })
    for (const path of ['/event', `/user/${user.id}/event`])
      expect((await testApp.send(path)).json.items).toMatchObject([{ id: event.id, externalId: 'crm-1' }])
    expect((await testApp.send(`/event/${event.id}`)).json).toMatchObject({ externalId: 'crm-1' })
    await work(testApp, DUE, FAILED)
    const replay = await testApp.post(`/event/${event.id}/replay`, {})
    expect(replay).toMatchObject({ status: 201, json: { externalId: 'crm-1' } })
  })

  it('is in the responses of occasions', async () => {
    const testApp = createTestApp()
    const { user } = await createPerson(testApp, { externalId: 'crm-1' })
    const path = `/user/${user.id}/occasion`
    const created = await testApp.post(path, { type: 'WORK_ANNIVERSARY', date: '2020-03-02' })
    expect(created.json).toMatchObject({ externalId: 'crm-1' })
    const occasion = `/occasion/${created.json.id}`
    expect((await testApp.send(path)).json.items).toMatchObject([
      { externalId: 'crm-1' },
      { externalId: 'crm-1' },
    ])
    expect((await testApp.send(occasion)).json).toMatchObject({ externalId: 'crm-1' })
    const changed = await testApp.put(occasion, { localTime: '10:00' })
    expect(changed.json.occasion).toMatchObject({ externalId: 'crm-1' })
    expect((await testApp.post(`${occasion}/pause`, {})).json).toMatchObject({ externalId: 'crm-1' })
  })

  it('is in the responses of tasks', async () => {
    const testApp = createTestApp()
    const { user } = await createPerson(testApp, { externalId: 'crm-1' })
    const task = { userId: user.id, title: 'Renew the passport', dueAt: '2027-01-15T16:00:00Z' }
    const created = await testApp.post('/task', task)
    expect(created.json).toMatchObject({ externalId: 'crm-1' })
    const path = `/task/${created.json.id}`
    expect((await testApp.send(path)).json).toMatchObject({ externalId: 'crm-1' })
    expect((await testApp.send('/task')).json.items).toMatchObject([{ externalId: 'crm-1' }])
    expect((await testApp.put(path, { title: 'Renew it' })).json).toMatchObject({ externalId: 'crm-1' })
  })
})
