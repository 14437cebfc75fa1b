import { Menu } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { useChangePreferences } from '#web/foundation/useChangePreferences.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconCode, IconGauge, IconMessage, IconMoon, IconSun } from '#web/kit/icons.ts'
import { useResolvedTheme } from '#web/kit/useResolvedTheme.ts'

/** Below 760 px the header has no room. */
const PHONE = '(max-width: 47.5em)'

/** Menu items for what the header of a phone has no room for. Elsewhere they are not rendered at all: arrow keys would stop at a hidden item. */
export function PhoneItems({ isSuperuser, repository }: { isSuperuser: boolean; repository: string }) {
  const t = useTranslate()
  if (!useIsPhone()) return null
  return (
    <>
      {isSuperuser && (
        <Menu.Item component={Link} to="/conversation" leftSection={<IconMessage size={16} />}>
          {t('app.area.chat')}
        </Menu.Item>
      )}
      {isSuperuser && (
        <Menu.Item component={Link} to="/admin/system" leftSection={<IconGauge size={16} />}>
          {t('app.area.admin')}
        </Menu.Item>
      )}
      <ThemeItem />
      <Menu.Item
        component="a"
        href={repository}
        target="_blank"
        rel="noopener noreferrer"
        leftSection={<IconCode size={16} />}
      >
        {t('app.repository')}
      </Menu.Item>
      <Menu.Divider />
    </>
  )
}

function ThemeItem() {
  const t = useTranslate()
  const theme = useResolvedTheme()
  const change = useChangePreferences()
  return theme === 'light' ? (
    <Menu.Item leftSection={<IconMoon size={16} />} onClick={() => change({ theme: 'dark' })}>
      {t('app.theme.toDark')}
    </Menu.Item>
  ) : (
    <Menu.Item leftSection={<IconSun size={16} />} onClick={() => change({ theme: 'light' })}>
      {t('app.theme.toLight')}
    </Menu.Item>
  )
}

/** Below everything that can be chosen. */
export function PhoneVersion({ version }: { version: string }) {
  return useIsPhone() && <Menu.Label c="var(--ink-3)">{version}</Menu.Label>
}

function useIsPhone(): boolean {
  return useMediaQuery(PHONE, false, { getInitialValueInEffect: false })
}
