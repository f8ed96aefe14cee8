// The icons of the dashboard, drawn on a grid of 16 by 16.

const PATHS = {
  today: 'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM8 8H3.8M8 8V4.4',
  people:
    'M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM1.5 13.5c.3-2.6 2-4 4.5-4s4.2 1.4 4.5 4M10.5 2.8a2.5 2.5 0 0 1 0 4.5M12 9.8c1.5.5 2.3 1.8 2.5 3.7',
  messages: 'M2 3.5h12v9H2zM2 4.5l6 4.5 6-4.5',
  failures: 'M8 2 1.5 13.5h13L8 2ZM8 6.5v3.5M8 11.9v.1',
  upcoming: 'M2 3.5h12v10.5H2zM2 6.5h12M5 2v2.5M11 2v2.5M5 9.5h.01M8 9.5h.01M11 9.5h.01',
  ledger: 'M3 2h10v12H3zM5.5 2v12M8 5.5h2.5M8 8h2.5M8 10.5h2.5',
  settings:
    'M2 4.5h7M12.5 4.5H14M2 11.5h1.5M7 11.5h7M10.7 6.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4ZM5.2 13.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4Z',
  inbox: 'M2 9.5 3.8 3h8.4L14 9.5V13H2V9.5ZM2 9.5h3.5l1 1.8h3l1-1.8H14',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10ZM10.7 10.7 14 14',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  check: 'M3 8.5 6.5 12 13 4.5',
  plus: 'M8 3v10M3 8h10',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3.5v9l7.5-4.5z',
  trash: 'M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.6 9h6.8l.6-9M6.7 7v4M9.3 7v4',
  edit: 'M3 13l.7-3L10.5 3.2l2.3 2.3L6 12.3 3 13ZM9 4.7 11.3 7',
  again: 'M13.5 3v3.5H10M13.3 6.5A5.5 5.5 0 1 0 13.5 9',
  sun: 'M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6ZM8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9',
  moon: 'M13.5 9.5A5.8 5.8 0 0 1 6.5 2.5a5.8 5.8 0 1 0 7 7Z',
  auto: 'M8 1.8a6.2 6.2 0 1 0 0 12.4V1.8Z',
  help: 'M6 6.2c0-1.2.9-2 2.05-2S10.1 5 10.1 6.1c0 1.6-2.1 1.7-2.1 3.2M8 11.6v.1',
  left: 'M10 3.5 5.5 8 10 12.5',
  out: 'M6 2.5H2.5v11H6M10 5l3 3-3 3M13 8H6',
  key: 'M5.5 10.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8.5 7.5H14M11.5 7.5V10',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className="shrink-0"
    >
      <path d={PATHS[name]} />
    </svg>
  )
}

/** The logo: a clock face with a filled quarter. */
export function Mark({ size = 22 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" className="shrink-0">
      <circle cx="16" cy="16" r="13" className="fill-none stroke-accent" strokeWidth="2" />
      <path d="M16 16V5a11 11 0 0 0-11 11z" className="fill-accent-fill" />
      <path d="M16 16V5M16 16H5" className="stroke-accent" strokeWidth="2" strokeLinecap="round" />
    </svg>
  )
}
