import { useState } from 'react'
import { UserButton } from '#web/accounts/UserButton.tsx'
import { reportFailure } from '#web/foundation/failures.ts'
import { useSession } from '#web/foundation/session.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { lazyComponent } from '#web/kit/lazyComponent.tsx'
import styles from './Header.module.css'
import { REPOSITORY, VERSION } from './product.ts'

const UserMenu = lazyComponent(() => import('#web/accounts/UserMenu.tsx').then(module => module.UserMenu))

/** The user button. Its menu is loaded when somebody is about to open it, to keep the first load small. */
export function UserCorner() {
  const t = useTranslate()
  const { user } = useSession()
  const [wanted, setWanted] = useState(false)
  if (user === null)
    return (
      <span className={styles.nobody} data-testid="user-menu">
        {t('app.notLoggedIn')}
      </span>
    )
  const preload = () => {
    UserMenu.preload().catch(() => null)
  }
  const open = () => {
    UserMenu.preload().then(() => setWanted(true), reportFailure)
  }
  if (wanted)
    return (
      <UserMenu
        user={user}
        repository={REPOSITORY}
        version={VERSION}
        initiallyOpen
        onLoadError={() => setWanted(false)}
      />
    )
  return (
    <UserButton
      nickname={user.nickname}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={open}
    />
  )
}
