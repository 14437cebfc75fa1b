import { useComputedColorScheme } from '@mantine/core'
import { setPreferences } from '#web/foundation/session.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconButton } from '#web/kit/IconButton.tsx'
import { IconMoon, IconSun } from '#web/kit/icons.ts'

/** The theme to switch to: its icon, the label of the switch, and the switch itself. */
export function useOtherTheme() {
  const t = useTranslate()
  const dark = useComputedColorScheme() === 'light'
  return {
    Icon: dark ? IconMoon : IconSun,
    label: t(dark ? 'app.theme.toDark' : 'app.theme.toLight'),
    apply: () => setPreferences({ theme: dark ? 'dark' : 'light' }),
  }
}

export function ThemeToggle() {
  const { Icon, label, apply } = useOtherTheme()
  return (
    <IconButton label={label} onClick={apply} data-first-paint="theme">
      <Icon size={18} />
    </IconButton>
  )
}
