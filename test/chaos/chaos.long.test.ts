// A short run of real processes under faults, checked by every rule. Then mistakes are planted, and the rules find each.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { query } from '../stores/postgres/support/audit.ts'
import { type Chaos, startChaos } from './support/chaos-run.ts'
import { check } from './support/check-rules.ts'
import { type Completed, completeRun, endRun } from './support/complete-run.ts'
import { DECK } from './support/fault-script.ts'
import { describe as describeSummary } from './support/summary.ts'

const OPTIONS = { seed: 9, faultsMs: 25_000, workers: 6, people: 400, fsync: false, rollouts: 0 }
const SETTLED_WITHIN_MS = 60_000
const OUTAGE_PEOPLE = 60

let chaos: Chaos
let completed: Completed

beforeAll(async () => {
  chaos = await startChaos(OPTIONS)
  completed = await completeRun(chaos, {
    seed: OPTIONS.seed,
    settledWithinMs: SETTLED_WITHIN_MS,
    outagePeople: OUTAGE_PEOPLE,
  })
}, 180_000)

afterAll(() => endRun(chaos, completed), 60_000)

/** Drops the statements that claim the probe of a destination that is down. */
const NEVER_PROBED = `
  CREATE FUNCTION chaos.drop_probe() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
  CREATE TRIGGER never_probed BEFORE UPDATE ON terce.destinations FOR EACH ROW
    WHEN (OLD.down_since IS NOT NULL AND NEW.down_since IS NOT NULL AND NEW.next_probe_at <> OLD.next_probe_at)
    EXECUTE FUNCTION chaos.drop_probe()`

/** The rules that are broken after the database was tampered with. */
const brokenBy = async (tamper: string) => check(await chaos.collect(tamper)).map(({ rule }) => rule)

describe('six workers, an API and PostgreSQL under faults', () => {
  it('break no rule', () => {
    const { summary } = completed
    expect(summary.broken, [...describeSummary(summary), `Evidence: ${chaos.folder}`].join('\n')).toEqual([])
  })

  it('had every kind of fault while events were due', () => {
    const { faults, failovers, lostCommits } = chaos.happened()
    const kinds = new Set(faults.map(({ kind }) => kind))
    expect([...kinds].sort()).toEqual(DECK.map(([kind]) => kind).sort())
    expect(lostCommits.after).toBeGreaterThan(0)
    expect(failovers.length).toBeGreaterThan(0)
    expect(completed.evidence.tables.settled_events.length).toBeGreaterThan(50)
    expect(completed.evidence.tables.attempts.length).toBeGreaterThan(0)
  })
})

describe('the rules of a chaos run', () => {
  it.each([
    [
      'a missing successor',
      ['one planned event'],
      'DELETE FROM terce.events WHERE id IN (SELECT id FROM terce.events LIMIT 1)',
    ],
    [
      'an event that was completed twice',
      expect.arrayContaining(['completed was accepted']),
      `INSERT INTO terce.settled_events SELECT (jsonb_populate_record(s, jsonb_build_object(
        'id', gen_random_uuid(), 'occurrence', s.occurrence || '~1'))).*
        FROM terce.settled_events AS s WHERE status = 'COMPLETED' LIMIT 1`,
    ],
    [
      'an event that is due an hour off',
      ['one planned event'],
      `UPDATE terce.events SET target_at = target_at + interval '1 hour' WHERE id IN (SELECT id FROM terce.events LIMIT 1)`,
    ],
    [
      'an expired claim without an UNKNOWN attempt',
      ['lost claims are recorded'],
      `INSERT INTO chaos.steps SELECT id, NULL, version, claimed_at, claimed_at, claimed_by, claimed_at,
        claimed_at, claimed_at FROM terce.settled_events LIMIT 1`,
    ],
    [
      'an event that no worker will claim',
      expect.arrayContaining(['nothing stuck']),
      `UPDATE terce.events SET target_at = now() - interval '1 day', wake_at = 'infinity'
        WHERE id IN (SELECT id FROM terce.events LIMIT 1)`,
    ],
  ])('find %s', async (_, rules, tamper) => {
    expect(await brokenBy(tamper)).toEqual(rules)
  })

  it('find a row of a deleted person', async () => {
    const gone = chaos.population.people.find(({ deleted }) => deleted !== null)!
    const tamper = `INSERT INTO terce.payloads VALUES (gen_random_uuid(), '{"userId":"${gone.id}"}')`
    expect(await brokenBy(tamper)).toEqual(['deleted person is erased'])
  })

  it('find a message that arrives long after the deletion of its person', async () => {
    const gone = chaos.population.people.find(({ deleted }) => deleted !== null)!
    const collected = await chaos.collect()
    const body = JSON.stringify({ eventId: 'planted', userId: gone.id, message: '', occurrence: '2026' })
    const planted = {
      at: gone.deleted!.respondedAt + 10_000,
      key: 'event-planted',
      body,
      accepted: false,
      status: 500,
    }
    const broken = check({ ...collected, arrivals: [...collected.arrivals, planted] })
    expect(broken.map(({ rule }) => rule)).toContain('no arrival after deletion')
  })

  it('find a receiver that answers 200 and keeps nothing', async () => {
    await chaos.receiver.behave('lying')
    await chaos.deliverMore(20, SETTLED_WITHIN_MS)
    expect(check(await chaos.collect()).map(({ rule }) => rule)).toEqual(['completed was accepted'])
  }, 90_000)

  it('find acknowledged writes that a failover to an asynchronous standby lost', async () => {
    await chaos.server.stopReplication()
    await chaos.deliverMore(20, SETTLED_WITHIN_MS)
    await chaos.server.failOver('kill', 0)
    expect(check(await chaos.collect()).map(({ rule }) => rule)).toContain('acknowledged is stored')
  }, 90_000)

  it('find events that wait because nobody probes their receiver, which is up again', async () => {
    await query(chaos.database(), NEVER_PROBED)
    await chaos.outage(OUTAGE_PEOPLE, 21_000)
    expect(check(await chaos.collect()).map(({ rule }) => rule)).toContain('backlog moves')
  }, 90_000)
})
