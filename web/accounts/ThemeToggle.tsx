import { useComputedColorScheme } from '@mantine/core'
import { setPreferences } from '#web/foundation/session.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconButton } from '#web/kit/IconButton.tsx'
import { IconMoon, IconSun } from '#web/kit/icons.ts'

/** Says where it leads, not where one is. */
export function ThemeToggle() {
  const t = useTranslate()
  const theme = useComputedColorScheme()
  return theme === 'light' ? (
    <IconButton label={t('app.theme.toDark')} onClick={() => setPreferences({ theme: 'dark' })}>
      <IconMoon size={18} />
    </IconButton>
  ) : (
    <IconButton label={t('app.theme.toLight')} onClick={() => setPreferences({ theme: 'light' })}>
      <IconSun size={18} />
    </IconButton>
  )
}
