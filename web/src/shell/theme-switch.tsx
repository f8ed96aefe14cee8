// Cycles through system, light and dark theme.

import { IconButton } from '../ui/button.tsx'
import type { IconName } from '../ui/icons.tsx'
import { setTheme, type Theme, useTheme } from './theme.ts'

const NEXT: Record<Theme, { to: Theme; icon: IconName; label: string }> = {
  system: { to: 'light', icon: 'auto', label: 'Theme: system. Switch to light' },
  light: { to: 'dark', icon: 'sun', label: 'Theme: light. Switch to dark' },
  dark: { to: 'system', icon: 'moon', label: 'Theme: dark. Switch to system' },
}

export function ThemeSwitch() {
  const { to, icon, label } = NEXT[useTheme()]
  return <IconButton label={label} icon={icon} onClick={() => setTheme(to)} />
}
