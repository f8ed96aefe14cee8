// One finding of `terce doctor`: a state and, unless it is ok, what to do.

export type Check = { name: string; state: 'ok' | 'warn' | 'fail'; text: string; remedy: string | null }

export const ok = (name: string, text: string): Check => ({ name, state: 'ok', text, remedy: null })

export const warn = (name: string, text: string, remedy: string): Check => {
  return { name, state: 'warn', text, remedy }
}

export const fail = (name: string, text: string, remedy: string): Check => {
  return { name, state: 'fail', text, remedy }
}
