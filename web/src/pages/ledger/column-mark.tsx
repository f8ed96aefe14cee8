// The column of a line as a symbol and a word, so that it does not depend on colour alone.
import type { LedgerColumn } from '../../api/types.ts'

export const COLUMN_SIGNS: Record<LedgerColumn, { sign: string; word: string; look: string }> = {
  delivered: { sign: '✓', word: 'delivered', look: 'text-sent' },
  failed: { sign: '✕', word: 'failed', look: 'text-failed' },
  excused: { sign: '–', word: 'excused', look: 'text-soft' },
  open: { sign: '○', word: 'open', look: 'text-sending' },
  unexplained: { sign: '!', word: 'unexplained', look: 'font-semibold text-failed' },
  surplus: { sign: '+', word: 'surplus', look: 'font-semibold text-doubt' },
}

export function ColumnMark({ column }: { column: LedgerColumn }) {
  const { sign, word, look } = COLUMN_SIGNS[column]
  return (
    <span className={`inline-flex items-center gap-1.5 whitespace-nowrap ${look}`}>
      <span aria-hidden="true" className="w-3 text-center">
        {sign}
      </span>
      {word}
    </span>
  )
}
