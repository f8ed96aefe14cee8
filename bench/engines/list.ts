// The engines: their names, what they promise that differs, where their code is. Loads one by name.
import type { EngineUnderTest } from '../engine.ts'

export type EngineEntry = {
  name: string
  kind: 'ours' | 'peer' | 'limit'
  /** Survives a power cut once it said done. */
  durable: boolean
  module: string
  /** Engines of one family share the big database, which is slow to fill. */
  family: string
  remark: string
}

export const ENGINES = [
  {
    name: 'terce-postgres',
    kind: 'ours',
    durable: true,
    module: './terce.ts',
    family: 'terce',
    remark:
      'Completion, history and next occurrence are one transaction; the body is stored before it is sent; one event per occurrence is a unique index.',
  },
  {
    name: 'pg-boss',
    kind: 'peer',
    durable: true,
    module: '../peers/pg-boss.ts',
    family: 'pgboss',
    remark:
      'Completion and next job in one transaction (its `db` option). The body is not stored; nothing keeps a next job from being inserted twice.',
  },
  {
    name: 'graphile-worker',
    kind: 'peer',
    durable: true,
    module: '../peers/graphile-worker.ts',
    family: 'graphile',
    remark:
      'The next job is committed before the completion, apart: a crash between them runs the event again and schedules a second next one. No history: a done job is deleted. Jobs of a crashed worker wait four hours.',
  },
  {
    name: 'bullmq',
    kind: 'peer',
    durable: false,
    module: '../peers/bullmq.ts',
    family: 'bullmq',
    remark:
      'On Redis with appendfsync everysec, as its documentation recommends: a power cut can lose the last second, next occurrences included. Completion and next job are apart. No history: a done job is removed.',
  },
  {
    name: 'bare-sql',
    kind: 'limit',
    durable: true,
    module: './bare-sql.ts',
    family: 'terce',
    remark:
      'Not an engine: the statements of the Terce store in two bare loops (in W2 with bare POSTs between).',
  },
  {
    name: 'bare-http',
    kind: 'limit',
    durable: false,
    module: './bare-http.ts',
    family: 'none',
    remark:
      'Not an engine: undici.request on 256 connections, no database. The engines send through the product’s own channel, which uses undici.dispatch and costs less.',
  },
] as const satisfies readonly EngineEntry[]

export function engineNamed(name: string): EngineEntry {
  const entry = ENGINES.find((engine) => engine.name === name)
  if (entry === undefined) throw new Error(`No engine is called "${name}".`)
  return entry
}

export async function loadEngine(name: string): Promise<EngineUnderTest> {
  // A variable, not a literal: the root's type check must not follow it to packages that only bench/ has.
  const { module } = engineNamed(name)
  return ((await import(module)) as { createEngine: () => EngineUnderTest }).createEngine()
}
