import { Link, Outlet } from '@tanstack/react-router'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { ADMIN_PAGES } from './adminPages.ts'
import styles from './AdminFrame.module.css'

/** Navigation on the shelf, the page on paper with its round corner. On a phone the navigation is a row above the page. */
export function AdminFrame() {
  const t = useTranslate()
  return (
    <div className={styles.admin}>
      <nav className={styles.menu} aria-label={t('admin.menu')}>
        {ADMIN_PAGES.map(({ path, title, icon: Icon }) => (
          <Link key={path} to={`/admin/${path}`} className={styles.entry}><Icon size={18} aria-hidden />{t(title)}</Link>
        ))}
        <a className={styles.entry} href="/api/docs" target="_blank" rel="noopener noreferrer">{t('admin.api')}</a>
      </nav>
      <div className={styles.page}><div className={styles.content}><Outlet /></div></div>
    </div>
  )
}
