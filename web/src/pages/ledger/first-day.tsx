// The ledger before its first day is closed.

import { endOfDay } from '../../../../src/domain/ledger/day.ts'
import { wallAt } from '../../clock/format.ts'
import { Ago } from '../../clock/local-time.tsx'
import { useNow } from '../../clock/now.ts'
import { Empty } from '../../ui/panel.tsx'

/** `isClosing`: the account of the first day is being computed. */
export function FirstDay({ isClosing }: { isClosing: boolean }) {
  const today = wallAt(useNow(60_000), 0).date
  return (
    <Empty title="No closed day yet.">
      A day is closed at 12:00 UTC of the next day, when it has ended in every time zone.{' '}
      {isClosing ? (
        'The first day is being closed now.'
      ) : (
        // The ledger begins on the day of the first start, which is today at the latest.
        <>
          At the latest, the first one is closed <Ago at={endOfDay(today)} utc />.
        </>
      )}
    </Empty>
  )
}
