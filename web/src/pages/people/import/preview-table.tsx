// The first rows of a CSV file, with a choice of the field for each column.
import type { Column } from '../../../../../src/domain/formats/people-table.ts'
import { INPUT } from '../../../ui/field.tsx'
import type { RowProblem } from './problems.ts'
import { COLUMN_TITLES, type Mapping, mapColumn, type Table } from './table.ts'

type PreviewTableProps = {
  table: Table
  mapping: Mapping
  problems: readonly RowProblem[]
  onMap: (mapping: Mapping) => void
}

const ROWS = 5

export function PreviewTable({ table, mapping, problems, onMap }: PreviewTableProps) {
  const rows = table.rows.slice(0, ROWS)
  return (
    <div className="overflow-x-auto rounded-md border border-line">
      <table className="w-full border-collapse text-xs">
        <caption className="sr-only">The first rows, and the field of each column</caption>
        <thead className="border-line border-b bg-raised/50 text-left">
          <tr>
            <th scope="col" className="whitespace-nowrap px-2 py-1.5 align-top font-normal text-soft">
              Line
            </th>
            {table.columns.map((written, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two columns can have one name
              <th scope="col" key={at} className="min-w-32 px-2 py-1.5 align-top font-normal">
                <span className="mb-1 block text-soft">{written || `column ${at + 1}`}</span>
                <select
                  aria-label={`Field of ${written || `column ${at + 1}`}`}
                  value={mapping[at] ?? ''}
                  onChange={({ target }) =>
                    onMap(mapColumn(mapping, at, (target.value || null) as Column | null))
                  }
                  className={`${INPUT} h-7 max-md:h-9`}
                >
                  <option value="">Do not import</option>
                  {Object.entries(COLUMN_TITLES).map(([field, name]) => (
                    <option key={field} value={field}>
                      {name}
                    </option>
                  ))}
                </select>
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((row) => (
            <tr key={row.line}>
              <td className="px-2 py-1 text-soft tabular-nums">{row.line}</td>
              {'problem' in row ? (
                <td colSpan={table.columns.length} className="px-2 py-1 text-failed">
                  {row.problem}
                </td>
              ) : (
                table.columns.map((written, at) => {
                  const isWrong = problems.some(
                    ({ line, column }) => line === row.line && column === (written || `column ${at + 1}`),
                  )
                  const look = isWrong ? 'text-failed' : mapping[at] == null ? 'text-soft' : ''
                  return (
                    // biome-ignore lint/suspicious/noArrayIndexKey: two columns can have one name
                    <td key={at} className={`max-w-48 truncate px-2 py-1 ${look}`}>
                      {row.fields[at] || (isWrong && 'empty')}
                      {isWrong && <span className="sr-only"> (has a problem)</span>}
                    </td>
                  )
                })
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
