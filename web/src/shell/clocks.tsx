// The current time in UTC and in the time zone of the browser.
import { browserZone, cityOf, wallAt } from '../clock/format.ts'
import { useNow } from '../clock/now.ts'

export function Clocks() {
  const now = useNow()
  const utc = wallAt(now, 0)
  const yours = wallAt(now, -new Date(now).getTimezoneOffset())
  const zone = browserZone()
  return (
    <div className="leading-tight">
      <div className="font-mono text-base">
        {utc.timeWithSeconds}
        <span className="text-soft">Z</span>
      </div>
      {zone !== 'UTC' && zone !== 'Etc/UTC' && (
        <div className="text-soft text-xs">
          {yours.time} in {cityOf(zone)}
        </div>
      )}
    </div>
  )
}
