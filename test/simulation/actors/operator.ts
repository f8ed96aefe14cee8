// The operator: does the chores of the scenario, releases stopped channels and replays failed events.

import { changeChannel, setChannelStatus } from '../../../src/app/channels/channels.ts'
import { holdChannel, releaseChannel } from '../../../src/app/channels/hold.ts'
import { pruneHistory } from '../../../src/app/events/prune.ts'
import { saveTemplate } from '../../../src/app/templates/save-template.ts'
import { moveSendTime } from '../../../src/app/users/bulk.ts'
import { parseTemplateText } from '../../../src/domain/messages/template.ts'
import type { ChannelStatus } from '../../../src/domain/settings/channel.ts'
import { MINUTE } from '../../support/fixtures.ts'
import { templateText } from '../oracle/expected-text.ts'
import { type ChannelRow, changesOf, type HoldRow } from '../record/ledger.ts'
import type { Chore } from '../scenario.ts'
import type { World } from '../support/world.ts'
import type { Api, Serving } from './api.ts'
import { channelId } from './channels.ts'
import { wasMadeToFail } from './process.ts'

export type Operator = {
  doChore(chore: Chore): void
  /** After the faults: releases every channel. */
  releaseAll(): void
}

export function createOperator(world: World, api: Api): Operator {
  const { scenario, scheduler, dice, note } = world
  /** The stopped channels, as the dashboard shows them. */
  const stopped = new Map<string, ChannelStatus>()
  /** The channels with a hold that has no end. */
  const held = new Set<string>()

  world.onNote.push((entry) => {
    if (entry.kind !== 'commit') return
    for (const { after } of changesOf<ChannelRow>(entry.rows, 'channels')) {
      if (after === null) continue
      const known = stopped.get(after.id)
      stopped.delete(after.id)
      if (after.status === 'ACTIVE') continue
      stopped.set(after.id, after.status)
      if (known !== after.status) later(delayBefore(after.status), () => release(after.id))
    }
    for (const { after } of changesOf<HoldRow>(entry.rows, 'destinations')) {
      if (after === null) continue
      const { channel_id: id, held_at, held_until } = after
      const isOpen = held_at !== null && held_until === null
      if (isOpen && !held.has(id)) later(delayBefore('HELD'), () => release(id))
      if (isOpen) held.add(id)
      else held.delete(id)
    }
  })

  function delayBefore(status: 'HELD' | 'DISABLED'): number {
    return scheduler.now() < scenario.faultsEndAt ? scenario.operatorDelayMs[status] : MINUTE
  }

  function later(ms: number, run: () => void): void {
    scheduler.add({ at: scheduler.now() + ms, kind: 'script', owner: null, run })
  }

  /** Repeats until the channel is active: a request may fail. */
  function release(id: string): void {
    if (!stopped.has(id) && !held.has(id)) return
    work('release', ({ channels }) => releaseChannel(channels, id))
    later(MINUTE, () => release(id))
  }

  function work(what: string, carryOut: (serving: Serving) => Promise<unknown>): void {
    const serving = api.current()
    carryOut(serving).catch((error) => {
      if (!wasMadeToFail(error))
        note({ kind: 'unexpected', who: serving.process.name, during: what, error: String(error) })
    })
  }

  async function carryOut(chore: Chore, { app, channels }: Serving): Promise<unknown> {
    const { store } = app
    switch (chore.kind) {
      case 'prune':
        return pruneHistory(app.store, scheduler.now() - chore.olderThanMs)
      case 'replay':
        return replaySome(app, chore.ownKey)
      case 'stop channel':
        if (chore.status === 'DISABLED')
          return setChannelStatus(channels, channelId(chore.channel), chore.status)
        return holdChannel(channels, channelId(chore.channel), {
          until: chore.forMs === undefined ? null : app.clock.now() + chore.forMs,
          by: 'operator',
        })
      case 'send time': {
        const { localTime, from } = chore
        const how = { localTime, ...(from && { from }), dryRun: false, limit: 1_000, cursor: null }
        return moveSendTime(app, { people: {} }, how)
      }
      case 'name default':
        return changeChannel(channels, channelId(chore.channel), { isDefault: true, ifVersion: null })
      case 'write': {
        const key = { type: 'BIRTHDAY', language: chore.language }
        if (chore.template === null) return store.removeTemplate(key)
        const text = parseTemplateText({ body: templateText(chore.template) }, app.clock)
        if (!text.ok) throw new Error(text.problems.map(({ message }) => message).join(' '))
        return saveTemplate(app, key, { text: text.value, seen: 'any' })
      }
    }
  }

  async function replaySome({ store, planner, clock, onPlanned }: Serving['app'], ownKey: boolean) {
    const { items } = await store.listEvents({ limit: 100, cursor: null, status: 'FAILED' })
    const chosen = items.filter(() => dice.chance(0.5))
    const at = clock.now()
    await store.replay(chosen.map(({ id }) => ({ of: id, id: planner.ids(at), ownKey, at })))
    onPlanned(at)
  }

  return {
    doChore: (chore) => work(chore.kind, (serving) => carryOut(chore, serving)),
    releaseAll() {
      for (const id of [...stopped.keys(), ...held]) release(id)
    },
  }
}
