// The engines under test: names, modules and how their guarantees differ. Loads an engine by name.
import type { EngineUnderTest } from '../engine.ts'

export type EngineEntry = {
  name: string
  kind: 'ours' | 'product' | 'peer'
  /** A completed event survives a power cut. */
  durable: boolean
  /** Null if only workloads of the built product measure it. */
  module: string | null
  /** A peer that does the work of Terce, in W6 and `people`. */
  sameWork?: { module: string; remark: string }
  /** Engines of one family share the big database, because it is slow to fill. */
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
      'Completion, history and next occurrence are one transaction. The body is stored before it is sent. A unique index allows one event for each occurrence.',
  },
  {
    name: 'terce-sqlite',
    kind: 'product',
    durable: true,
    module: null,
    family: 'none',
    remark: 'The built product on one SQLite file: API and worker in one process.',
  },
  {
    name: 'pg-boss',
    kind: 'peer',
    durable: true,
    module: '../peers/pg-boss.ts',
    sameWork: {
      module: './peers/same-work/pg-boss.ts',
      remark:
        'Completion, outcome and next job are one transaction. A crash between the POST and that transaction sends the message again. The body is stored after it was sent. A person who moves keeps the old job.',
    },
    family: 'pgboss',
    remark:
      'Completion and next job are one transaction (its `db` option). The body is not stored. A next job can be inserted twice.',
  },
  {
    name: 'graphile-worker',
    kind: 'peer',
    durable: true,
    module: '../peers/graphile-worker.ts',
    sameWork: {
      module: './peers/same-work/graphile-worker.ts',
      remark:
        'Outcome and next job are one transaction, the completion is another: a crash between them sends the message again. The body is stored after it was sent. A person who moves keeps the old job. Jobs of a crashed worker wait four hours.',
    },
    family: 'graphile',
    remark:
      'The next job is committed before the completion, in another transaction: a crash between them runs the event again and schedules a second next job. No history: a completed job is deleted. Jobs of a crashed worker wait four hours.',
  },
  {
    name: 'bullmq',
    kind: 'peer',
    durable: false,
    module: '../peers/bullmq.ts',
    family: 'bullmq',
    remark:
      'On Redis with appendfsync everysec, as its documentation recommends: a power cut can lose the last second, next occurrences included. Completion and next job are separate commands. No history: a completed job is removed.',
  },
] as const satisfies readonly EngineEntry[]

export function engineNamed(name: string): EngineEntry {
  const entry = (ENGINES as readonly EngineEntry[]).find((engine) => engine.name === name)
  if (entry === undefined) throw new Error(`Unknown engine "${name}".`)
  return entry
}

export async function loadEngine(name: string): Promise<EngineUnderTest> {
  // Not a literal: the type check of the root must not follow it to packages that only bench/ installs.
  const { module } = engineNamed(name)
  if (module === null) throw new Error(`${name} has no engine of its own.`)
  return ((await import(module)) as { createEngine: () => EngineUnderTest }).createEngine()
}
