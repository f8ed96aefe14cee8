// Dark or light theme: follows the system until the reader chooses.
import { useSyncExternalStore } from 'react'

export type Theme = 'system' | 'dark' | 'light'

const KEY = 'terce-theme'
const dark = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

export function applyTheme(): void {
  const theme = readTheme()
  const isDark = theme === 'system' ? dark.matches : theme === 'dark'
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
}

function readTheme(): Theme {
  const stored = localStorage.getItem(KEY)
  return stored === 'dark' || stored === 'light' ? stored : 'system'
}

export function setTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, theme)
  applyTheme()
  for (const listener of listeners) listener()
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, readTheme)
}

dark.addEventListener('change', applyTheme)
