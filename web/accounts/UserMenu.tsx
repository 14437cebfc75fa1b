import { Menu } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import type { UserRead } from '#contract/accounts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconAdjustmentsHorizontal, IconKey, IconKeyboard, IconLogout, IconUser } from '#web/kit/icons.ts'
import { late } from '#web/kit/late.tsx'
import { PhoneItems, PhoneVersion } from './PhoneItems.tsx'
import { UserButton } from './UserButton.tsx'
import { useLogout } from './useLogout.ts'

const DIALOGS = {
  profile: late(() => import('./ProfileDialog.tsx').then(module => module.ProfileDialog)),
  password: late(() => import('./PasswordDialog.tsx').then(module => module.PasswordDialog)),
  preferences: late(() => import('./PreferencesDialog.tsx').then(module => module.PreferencesDialog)),
  shortcuts: late(() => import('#web/kit/ShortcutsDialog.tsx').then(module => module.ShortcutsDialog)),
}
type DialogName = keyof typeof DIALOGS

type UserMenuProps = { user: UserRead; repository: string; version: string; initiallyOpen?: boolean }

/** The user menu; on phones also what the header has no room for. */
export function UserMenu({ user, repository, version, initiallyOpen = false }: UserMenuProps) {
  const [dialog, setDialog] = useState<DialogName | null>(null)
  const [opened, setOpened] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!initiallyOpen) return undefined
    const frame = requestAnimationFrame(() => {
      // The button before this one had the focus; the menu gives it back to whoever has it when it opens.
      button.current?.focus()
      setOpened(true)
    })
    return () => cancelAnimationFrame(frame)
  }, [initiallyOpen])
  const close = () => {
    setDialog(null)
    // The item that had the focus before the dialog is gone with its menu.
    requestAnimationFrame(() => button.current?.focus())
  }
  const OpenDialog = dialog === null ? null : DIALOGS[dialog]
  return (
    <>
      <Menu width={200} withinPortal={false} opened={opened} onChange={setOpened}>
        <Menu.Target>
          <UserButton ref={button} nickname={user.nickname} />
        </Menu.Target>
        <Menu.Dropdown>
          <Items onOpen={setDialog} />
          <PhoneItems isSuperuser={user.is_superuser} repository={repository} />
          <LogoutItem />
          <PhoneVersion version={version} />
        </Menu.Dropdown>
      </Menu>
      {OpenDialog !== null && <OpenDialog onClose={close} onPassword={() => setDialog('password')} onMissing={close} />}
    </>
  )
}

function Items({ onOpen }: { onOpen(dialog: DialogName): void }) {
  const t = useTranslate()
  return (
    <>
      <Menu.Item leftSection={<IconUser size={16} />} onClick={() => onOpen('profile')}>
        {t('userMenu.profile')}
      </Menu.Item>
      <Menu.Item leftSection={<IconKey size={16} />} onClick={() => onOpen('password')}>
        {t('userMenu.resetPassword')}
      </Menu.Item>
      <Menu.Item leftSection={<IconAdjustmentsHorizontal size={16} />} onClick={() => onOpen('preferences')}>
        {t('userMenu.preferences')}
      </Menu.Item>
      <ShortcutsItem onOpen={onOpen} />
      <Menu.Divider />
    </>
  )
}

/** On devices with a keyboard. */
function ShortcutsItem({ onOpen }: { onOpen(dialog: DialogName): void }) {
  const t = useTranslate()
  const hasKeys = useMediaQuery('(hover: hover) and (pointer: fine)', true, { getInitialValueInEffect: false })
  return (
    hasKeys && (
      <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={() => onOpen('shortcuts')}>
        {t('shortcuts.title')}
      </Menu.Item>
    )
  )
}

function LogoutItem() {
  const t = useTranslate()
  const logout = useLogout()
  return (
    <Menu.Item leftSection={<IconLogout size={16} />} onClick={logout}>
      {t('userMenu.logout')}
    </Menu.Item>
  )
}
