import { useMediaQuery } from '@mantine/hooks'
import { useCallback, useMemo, useState } from 'react'
import { Link, Outlet } from '@tanstack/react-router'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { BreathingDot } from '#web/kit/Dots.tsx'
import { DrawerButton } from '#web/kit/IconButton.tsx'
import { lazyComponent } from '#web/kit/lazyComponent.tsx'
import { useHeaderSlot } from '#web/kit/pageHead.ts'
import { Tag } from '#web/kit/Tag.tsx'
import styles from './AdminFrame.module.css'
import { ADMIN_PAGES } from '#web/admin/adminPages.ts'
import { useUptimeTexts } from './shell/times.ts'
import { useOpenRequests } from './shell/openRequests.ts'
import { useJobShares } from './shell/useJobs.ts'

const SideDrawer = lazyComponent(() => import('#web/kit/SideDrawer.tsx').then(module => module.SideDrawer))

/** The navigation is beside the page; on a narrower screen it is a drawer. */
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
        <Outlet />
      </div>
    </div>
  )
}

function AdminMenu({ onGone }: { onGone?: () => void }) {
  const t = useTranslate()
  const shares = useJobShares()
  const requests = useOpenRequests()
  return (
    <nav className={styles.menu} aria-label={t('admin.menu')}>
      {ADMIN_PAGES.map(({ path, title, short, icon: Icon }) => (
        <Link
          key={path}
          to={`/admin/${path}`}
          className={styles.entry}
          data-testid={`admin-nav-${short}`}
          onClick={onGone}
        >
          <Icon size={18} aria-hidden />
          <span className={styles.name}>{t(title)}</span>
          {shares.has(path) && <JobShare share={shares.get(path) ?? null} />}
          {(requests[path] ?? 0) > 0 && <OpenRequests count={requests[path] ?? 0} />}
        </Link>
      ))}
      <div className={styles.foot}>
        <Uptime />
        <a href="/api/docs" target="_blank" rel="noopener noreferrer">
          {t('admin.api')}
        </a>
      </div>
    </nav>
  )
}

/** The progress of this page's job, visible from every page; null when the total is not known. */
function JobShare({ share }: { share: number | null }) {
  const t = useTranslate()
  return (
    <span className={styles.share}>
      <BreathingDot />
      <span className="visually-hidden">{t('admin.jobGoesOn')}</span>
      {share !== null && `${Math.floor(share * 100)}%`}
    </span>
  )
}

/** Requests that wait for an answer. */
function OpenRequests({ count }: { count: number }) {
  const t = useTranslate()
  return (
    <span className={styles.share} data-testid="open-requests">
      <Tag tone="amber">{count}</Tag>
      <span className="visually-hidden">{t('admin.usage.requests', { count })}</span>
    </span>
  )
}

function Uptime() {
  const texts = useUptimeTexts()
  return texts.map(text => <p key={text}>{text}</p>)
}
