// A minute of chaos on the real thing: everything breaks, and every promise is kept. Then mistakes are planted, and the
// same rules find each of them.
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chaos, startChaos } from './support/chaos-run.ts'
import { check } from './support/check-rules.ts'
import type { Evidence } from './support/evidence.ts'
import { keep } from './support/save-evidence.ts'
import { describe as inWords, type Summary, summarise } from './support/summary.ts'

const OPTIONS = { seed: 9, faultsMs: 25_000, workers: 6, people: 400, fsync: false }
const CALM_WITHIN_MS = 60_000

let chaos: Chaos
let evidence: Evidence
let summary: Summary

beforeAll(async () => {
  chaos = await startChaos(OPTIONS)
  await chaos.play()
  const calmFrom = Date.now()
  await chaos.calm(CALM_WITHIN_MS)
  evidence = await chaos.gather()
  const calmAfterMs = evidence.calmAt - calmFrom
  const { seed } = OPTIONS
  summary = summarise(evidence, chaos.happened(), { seed, calmAfterMs, broken: check(evidence) })
}, 180_000)

afterAll(async () => {
  await chaos?.stop()
  if (summary?.broken.length === 0) rmSync(chaos.folder, { recursive: true })
}, 60_000)

/** The rules that are broken once the database was tampered with. */
const brokenBy = async (tamper: string) => check(await chaos.gather(tamper)).map(({ rule }) => rule)

describe('six workers, an API and a PostgreSQL that all break', () => {
  it('keep every promise', () => {
    if (summary.broken.length > 0) keep(chaos.folder, evidence, summary)
    expect(summary.broken, [...inWords(summary), `Evidence: ${chaos.folder}`].join('\n')).toEqual([])
  })

  it('did break, while there was work to do', () => {
    const { faults, lostCommits } = chaos.happened()
    const kinds = new Set(faults.map(({ kind }) => kind))
    expect([...kinds].sort()).toEqual(
      ['crash', 'cut', 'delay', 'kill', 'lose-commits', 'mood', 'pause', 'retire', 'silence'].sort(),
    )
    expect(lostCommits.after).toBeGreaterThan(0)
    expect(evidence.tables.settled_events.length).toBeGreaterThan(50)
    expect(evidence.tables.attempts.length).toBeGreaterThan(0)
  })
})

describe('the rules of chaos', () => {
  it('notice a successor that is missing', async () => {
    const tamper = 'DELETE FROM events WHERE id IN (SELECT id FROM events LIMIT 1)'
    expect(await brokenBy(tamper)).toEqual(['one ahead'])
  })

  it('notice an event that is there twice', async () => {
    const tamper = `INSERT INTO settled_events SELECT (jsonb_populate_record(s, jsonb_build_object(
      'id', gen_random_uuid(), 'occurrence', s.occurrence || '~1'))).*
      FROM settled_events AS s WHERE status = 'COMPLETED' LIMIT 1`
    expect(await brokenBy(tamper)).toContain('completed was accepted')
  })

  it('notice an event that is an hour off', async () => {
    const tamper = `UPDATE events SET target_at = target_at + interval '1 hour' WHERE id IN (SELECT id FROM events LIMIT 1)`
    expect(await brokenBy(tamper)).toEqual(['one ahead'])
  })

  it('notice a takeover that is kept secret', async () => {
    const tamper = `INSERT INTO chaos.steps SELECT id, NULL, version, claimed_at, claimed_at, claimed_by, claimed_at,
      claimed_at, claimed_at FROM settled_events LIMIT 1`
    expect(await brokenBy(tamper)).toEqual(['unknown is told'])
  })

  it('notice an event that nobody will take', async () => {
    const tamper = `UPDATE events SET target_at = now() - interval '1 day', wake_at = 'infinity'
      WHERE id IN (SELECT id FROM events LIMIT 1)`
    expect(await brokenBy(tamper)).toContain('nothing stuck')
  })

  it('notice what is left of somebody who was deleted', async () => {
    const gone = chaos.town.people.find(({ deleted }) => deleted !== null)!
    const tamper = `INSERT INTO payloads VALUES (gen_random_uuid(), '{"userId":"${gone.id}"}')`
    expect(await brokenBy(tamper)).toEqual(['forgotten'])
  })

  it('notice a receiver that says yes and keeps nothing', async () => {
    await chaos.sink.behave('lying')
    await chaos.greetMore(20, CALM_WITHIN_MS)
    expect(check(await chaos.gather()).map(({ rule }) => rule)).toEqual(['completed was accepted'])
  }, 90_000)
})
