// A small bar chart: one bar for each hour.

export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const most = Math.max(1, ...values)
  const width = values.length * 4
  return (
    <svg
      role="img"
      aria-label={label}
      width={width}
      height="22"
      viewBox={`0 0 ${width} 22`}
      className="shrink-0"
    >
      {values.map((value, index) => {
        const height = value === 0 ? 1 : 3 + (value / most) * 18
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is identified by its hour
            key={index}
            x={index * 4}
            y={22 - height}
            width="3"
            height={height}
            rx="0.5"
            className={value === 0 ? 'fill-line-strong' : 'fill-failed-fill'}
          />
        )
      })}
    </svg>
  )
}
