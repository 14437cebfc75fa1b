import { lazy, Suspense, useState } from 'react'
import { UserButton } from '#web/accounts/UserButton.tsx'
import { useSession } from '#web/foundation/session.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './Header.module.css'
import { REPOSITORY, VERSION } from './product.ts'

const loadMenu = () => import('#web/accounts/UserMenu.tsx').then(module => ({ default: module.UserMenu }))
const UserMenu = lazy(loadMenu)

/** Who is here. The menu is loaded when somebody is about to open it, so that nobody waits for it before they can read. */
export function UserCorner() {
  const t = useTranslate()
  const { user } = useSession()
  const [wanted, setWanted] = useState(false)
  if (user === null) return <span className={styles.nobody} data-testid="user-menu">{t('app.notLoggedIn')}</span>
  const preload = () => { loadMenu().catch(() => null) }
  const button = (
    <UserButton nickname={user.nickname} aria-haspopup="menu" aria-expanded={false} onPointerEnter={preload} onFocus={preload} onClick={() => setWanted(true)} />
  )
  if (!wanted) return button
  return <Suspense fallback={button}><UserMenu user={user} repository={REPOSITORY} version={VERSION} initiallyOpen /></Suspense>
}
