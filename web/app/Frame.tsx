import { Outlet, useMatches, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { LoginExpired } from '#web/users/LoginExpired.tsx'
import { whenIdle } from '#web/foundation/idle.ts'
import { useSession } from '#web/foundation/session.ts'
import { loadAdminTexts, useTranslate } from '#web/i18n/useTranslate.ts'
import { ShareDialogHost } from '#web/shares/gifts/ShareDialogHost.tsx'
import { DialogHost } from '#web/kit/DialogHost.tsx'
import { useOpenTitle } from '#web/kit/pageHead.ts'
import { Toasts } from '#web/kit/Toasts.tsx'
import { TooltipHost } from '#web/kit/TooltipHost.tsx'
import styles from './Frame.module.css'
import { Header } from './Header.tsx'

/** Header, page, and what lies above both. */
export function Frame() {
  const t = useTranslate()
  const router = useRouter()
  const page = useRef<HTMLElement>(null)
  const { title, surface = 'paper' } = useMatches().at(-1)?.staticData ?? {}
  const open = useOpenTitle(state => state.title)
  useEffect(() => {
    const shown = open ?? (title === undefined ? null : t(title))
    document.title = shown === null ? t('app.name') : `${shown} · ${t('app.name')}`
  }, [t, title, open])
  // The specification, section 2: after every navigation the page scrolls to the top. A change of the query alone does
  // not count as one.
  useEffect(
    () =>
      router.subscribe('onResolved', ({ pathChanged }) => {
        if (pathChanged) page.current?.scrollTo(0, 0)
      }),
    [router],
  )
  useAdministratorTexts()
  return (
    <div className={`${styles.frame} ${styles[surface]}`}>
      <a className={styles.skip} href="#page">
        {t('app.skip')}
      </a>
      <Header />
      <main id="page" ref={page} tabIndex={-1} className={styles.page}>
        <Outlet />
      </main>
      <Toasts />
      <TooltipHost />
      <DialogHost />
      <ShareDialogHost />
      <LoginExpired />
    </div>
  )
}

/**
 * Loads the texts for administrators: where others read that they should ask one, an administrator reads what to do.
 */
function useAdministratorTexts(): void {
  const isSuperuser = useSession(({ user }) => user?.is_superuser === true)
  useEffect(() => {
    // Until they are loaded, the texts for everybody are shown.
    if (isSuperuser) return whenIdle(() => void loadAdminTexts().catch(() => undefined))
    return undefined
  }, [isSuperuser])
}
