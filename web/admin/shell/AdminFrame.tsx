import { useMediaQuery } from '@mantine/hooks'
import { useCallback, useMemo, useState } from 'react'
import { Link, Outlet } from '@tanstack/react-router'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { DrawerButton } from '#web/kit/IconButton.tsx'
import { lazyComponent } from '#web/kit/lazyComponent.tsx'
import { useHeaderSlot } from '#web/kit/pageHead.ts'
import styles from './AdminFrame.module.css'
import { ADMIN_PAGES } from '#web/admin/adminPages.ts'

const SideDrawer = lazyComponent(() => import('#web/kit/SideDrawer.tsx').then(module => module.SideDrawer))

/** Whether the navigation has its own place beside the page; on a phone it is a drawer. */
const WIDE = '(width > 47.5em)'

/** Navigation on the shelf, the page on paper with its round corner. */
export function AdminFrame() {
  const t = useTranslate()
  const wide = useMediaQuery(WIDE, false, { getInitialValueInEffect: false })
  const [open, setOpen] = useState(false)
  const openMenu = useCallback(() => setOpen(true), [])
  const closeMenu = useCallback(() => setOpen(false), [])
  useHeaderSlot(
    null,
    useMemo(() => !wide && <DrawerButton label={t('admin.openMenu')} onClick={openMenu} />, [t, wide, openMenu]),
  )
  return (
    <div className={styles.admin}>
      {wide ? (
        <AdminMenu />
      ) : (
        <SideDrawer
          title={t('admin.menu')}
          closeLabel={t('admin.closeMenu')}
          opened={open}
          onClose={closeMenu}
          needed={open}
          onLoadError={closeMenu}
        >
          <AdminMenu onGone={closeMenu} />
        </SideDrawer>
      )}
      <div className={styles.page}>
        <div className={styles.content}>
          <Outlet />
        </div>
      </div>
    </div>
  )
}

function AdminMenu({ onGone }: { onGone?: () => void }) {
  const t = useTranslate()
  return (
    <nav className={styles.menu} aria-label={t('admin.menu')}>
      {ADMIN_PAGES.map(({ path, title, icon: Icon }) => (
        <Link key={path} to={`/admin/${path}`} className={styles.entry} onClick={onGone}>
          <Icon size={18} aria-hidden />
          {t(title)}
        </Link>
      ))}
      <a className={styles.entry} href="/api/docs" target="_blank" rel="noopener noreferrer">
        {t('admin.api')}
      </a>
    </nav>
  )
}
