// The check of the rows of a file, and the dry run that counts the new people.
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { importPeople } from '../../../api/people.ts'
import { now } from '../../../clock/now.ts'
import { type CheckedRows, checkRows } from './check-rows.ts'
import { NOTHING_SENT, sendRows, type Totals } from './send-rows.ts'
import { headerOf, type Mapping, type Table } from './table.ts'

/** How far a run is, and how long it has taken. */
type Run = { totals: Totals; elapsedMs: number }

/** For queries of a file: not repeated, and not compared cell by cell with a result before. */
const ONCE = {
  structuralSharing: false,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  retry: false,
  meta: { live: false },
} as const

export const NOT_RUN: Run = { totals: NOTHING_SENT, elapsedMs: 0 }

/** The rows by the rules of the import, and how many are checked so far. */
export function useChecked(table: Table, mapping: Mapping, enabled: boolean) {
  const id = useId()
  const [checking, setChecking] = useState({ done: 0, elapsedMs: 0 })
  const checked = useQuery({
    queryKey: ['import', id, mapping, table.edits],
    queryFn: ({ signal }) => {
      const startedAt = performance.now()
      setChecking({ done: 0, elapsedMs: 0 })
      return checkRows(table.rows, headerOf(table, mapping), {
        now: now(),
        signal,
        onProgress: (done) => setChecking({ done, elapsedMs: performance.now() - startedAt }),
      })
    },
    enabled,
    ...ONCE,
  })
  return { checked, checking }
}

/** A dry run of the import: how many people are new. */
export function useCount(checked: CheckedRows | undefined, mapping: Mapping, { edits }: Table) {
  const id = useId()
  const [counting, setCounting] = useState(NOT_RUN)
  const counted = useQuery({
    queryKey: ['import-count', id, mapping, edits],
    queryFn: ({ signal }) => {
      const startedAt = performance.now()
      setCounting(NOT_RUN)
      return sendRows(checked!.valid, {
        send: (csv) => importPeople(csv, { dryRun: true, signal }),
        onProgress: (totals) => setCounting({ totals, elapsedMs: performance.now() - startedAt }),
        isStopped: () => signal.aborted,
      })
    },
    enabled: checked !== undefined && checked.valid.length > 0,
    ...ONCE,
  })
  return { counted, counting }
}
