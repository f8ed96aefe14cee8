// The replan of a process before it claims anything. If it fails, the process exits and its supervisor restarts it.
import { type ReplanDeps, replan } from '../../../src/app/timezones/replan.ts'
import { SECOND } from '../../support/fixtures.ts'
import type { World } from '../support/world.ts'
import { type Process, wasMadeToFail } from './process.ts'

export function replanOnStart(
  { tables, note }: World,
  process: Process,
  deps: Omit<ReplanDeps, 'clock'>,
  then: { begin(): void; end(downMs: number): void },
): void {
  if (!tables.moving) return then.begin()
  const { name: who, clock } = process
  note({ kind: 'table', who, release: deps.planner.table.version })
  note({ kind: 'replan', who, what: 'begins', always: false })
  replan({ ...deps, clock }, { check: 'recent' }).then(
    () => {
      note({ kind: 'replan', who, what: 'ends', always: false })
      then.begin()
    },
    (error) => {
      if (!wasMadeToFail(error)) note({ kind: 'unexpected', who, during: 'replan', error: String(error) })
      note({ kind: 'lifecycle', who, what: 'crashes' })
      process.kill()
      then.end(SECOND)
    },
  )
}
