import { Menu } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { Link, useNavigate } from '@tanstack/react-router'
import type { UserRead } from '#contract/users.ts'
import { signOutAndForget } from '#web/foundation/session.ts'
import { savedLogin } from '#web/foundation/stored.ts'
import { toast } from '#web/foundation/toasts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { confirm } from '#web/kit/DialogHost.tsx'
import {
  IconAdjustmentsHorizontal,
  IconCode,
  IconFile,
  IconGauge,
  IconKey,
  IconKeyboard,
  IconLogout,
  IconMessage,
  IconPlug,
  IconUser,
} from '#web/kit/icons.ts'
import { lazyComponent, lazyWithTexts } from '#web/kit/lazyComponent.tsx'
import { useOtherTheme } from './ThemeToggle.tsx'
import { UserButton } from './UserButton.tsx'

const DIALOGS = {
  profile: lazyWithTexts('account', () => import('./ProfileDialog.tsx').then(module => module.ProfileDialog)),
  password: lazyWithTexts('account', () => import('./PasswordDialog.tsx').then(module => module.PasswordDialog)),
  preferences: lazyWithTexts('account', () =>
    import('./PreferencesDialog.tsx').then(module => module.PreferencesDialog),
  ),
  shortcuts: lazyComponent(() => import('#web/kit/ShortcutsDialog.tsx').then(module => module.ShortcutsDialog)),
}
type DialogName = keyof typeof DIALOGS | 'files'

type UserMenuProps = {
  user: UserRead
  repository: string
  version: string
  initiallyOpen?: boolean
  /** The dialog of one’s own files; null for somebody who has none. */
  Files: typeof DIALOGS.shortcuts | null
}

export function UserMenu({ user, repository, version, initiallyOpen = false, Files }: UserMenuProps) {
  const [dialog, setDialog] = useState<DialogName | null>(null)
  const [opened, setOpened] = useState(false)
  // Below 760 px, where the header has no room.
  const isPhone = useMediaQuery('(max-width: 47.5em)', false, { getInitialValueInEffect: false })
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!initiallyOpen) return undefined
    const frame = requestAnimationFrame(() => {
      // The menu returns the focus to the element that had it when the menu opened, so the button that replaces the
      // loading one takes it first.
      button.current?.focus()
      setOpened(true)
    })
    return () => cancelAnimationFrame(frame)
  }, [initiallyOpen])
  const close = () => {
    setDialog(null)
    // The menu item that opened the dialog is unmounted, so the focus goes to the button.
    requestAnimationFrame(() => button.current?.focus())
  }
  const OpenDialog = dialog === null ? null : dialog === 'files' ? Files : DIALOGS[dialog]
  return (
    <>
      <Menu width={200} withinPortal={false} opened={opened} onChange={setOpened}>
        <Menu.Target>
          <UserButton ref={button} nickname={user.nickname} />
        </Menu.Target>
        <Menu.Dropdown>
          <Items onOpen={setDialog} hasFiles={Files !== null} />
          {isPhone && <PhoneItems isSuperuser={user.is_superuser} repository={repository} />}
          <LogoutItem />
          {isPhone && <Menu.Label c="var(--ink-3)">{version}</Menu.Label>}
        </Menu.Dropdown>
      </Menu>
      {OpenDialog !== null && (
        <OpenDialog onClose={close} onPassword={() => setDialog('password')} onLoadError={close} />
      )}
    </>
  )
}

function Items({ onOpen, hasFiles }: { onOpen(dialog: DialogName): void; hasFiles: boolean }) {
  const t = useTranslate()
  return (
    <>
      <Menu.Item leftSection={<IconUser size={16} />} onClick={() => onOpen('profile')}>
        {t('userMenu.profile')}
      </Menu.Item>
      {hasFiles && (
        <Menu.Item leftSection={<IconFile size={16} />} onClick={() => onOpen('files')}>
          {t('userMenu.files')}
        </Menu.Item>
      )}
      <Menu.Item component={Link} to="/keys" leftSection={<IconPlug size={16} />}>
        {t('title.keys')}
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

/** Shown on devices with a keyboard. */
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

/** Confirms, ends the session and goes to the login page. */
function LogoutItem() {
  const t = useTranslate()
  const navigate = useNavigate()
  const logOut = async () => {
    const text = t(savedLogin().rememberPassword ? 'logout.text' : 'logout.textForgetting')
    if (!(await confirm({ title: t('logout.title'), text, verb: t('logout.verb') }))) return
    await signOutAndForget(() => navigate({ to: '/login' }))
    toast.success(t('logout.success'))
  }
  return (
    <Menu.Item leftSection={<IconLogout size={16} />} onClick={logOut}>
      {t('userMenu.logout')}
    </Menu.Item>
  )
}

/**
 * The actions that the header of a phone has no room for. Not rendered on wider screens, where arrow keys would stop at
 * hidden items.
 */
function PhoneItems({ isSuperuser, repository }: { isSuperuser: boolean; repository: string }) {
  const t = useTranslate()
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
  const { Icon, label, apply } = useOtherTheme()
  return (
    <Menu.Item leftSection={<Icon size={16} />} onClick={apply}>
      {label}
    </Menu.Item>
  )
}
