import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { UserRead } from '#contract/users.ts'
import { ThemeToggle } from '#web/users/ThemeToggle.tsx'
import { UserButton } from '#web/users/UserButton.tsx'
import { reportFailure } from '#web/foundation/failures.ts'
import { useSession } from '#web/foundation/session.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { useHeaderContent } from '#web/kit/pageHead.ts'
import { IconLink } from '#web/kit/IconButton.tsx'
import { IconAdjustmentsHorizontal, IconCode, IconMessage } from '#web/kit/icons.ts'
import { lazyComponent } from '#web/kit/lazyComponent.tsx'
import { Logo } from '#web/kit/Illustration.tsx'
import styles from './Header.module.css'

const MeterPill = lazyComponent(() =>
  import('#web/conversations/sharedMeter/SharedMeter.tsx').then(module => module.MeterPill),
)

const UserMenu = lazyComponent(() => import('./OwnUserMenu.tsx').then(module => module.OwnUserMenu))

declare global {
  interface ImportMetaEnv {
    readonly PAGE_VERSION: string
  }
}

/** The version label of the header. */
export const VERSION = `v${import.meta.env.PAGE_VERSION}`

const REPOSITORY = 'https://github.com/chat-commons/chat-commons'

/** The header: product, what is open, user. */
export function Header() {
  const { user } = useSession()
  const { pathname } = useLocation()
  return (
    <Bar signedIn={user !== null}>
      <Menu />
      <Brand />
      <Slot />
      {user !== null && pathname.startsWith('/admin') && <MeterPill needed={false} onLoadError={() => {}} />}
      {user?.is_superuser === true && <AreaSwitch />}
      <div className={styles.tools}>
        <RepositoryLink />
        <ThemeToggle />
      </div>
      <UserCorner />
    </Bar>
  )
}

/** Only this component and the slots render again when a screen fills the header. */
function Bar({ signedIn, children }: { signedIn: boolean; children: ReactNode }) {
  const filled = useHeaderContent(({ content }) => content !== null)
  return (
    <header className={styles.header} data-filled={filled || undefined} data-signed-in={signedIn || undefined}>
      {children}
    </header>
  )
}

function Menu() {
  return useHeaderContent(({ menu }) => menu)
}

function Slot() {
  return <div className={styles.slot}>{useHeaderContent(({ content }) => content)}</div>
}

function Brand() {
  const t = useTranslate()
  return (
    <div className={styles.lead}>
      <Link to="/" className={styles.brand}>
        <Logo />
        <span className={styles.long}>{t('app.name')}</span>
        <span className={styles.short}>{t('app.name.short')}</span>
      </Link>
      <span className={styles.version}>{VERSION}</span>
    </div>
  )
}

/** For administrators: any path that starts with /admin is the one area, the conversations are the other. */
function AreaSwitch() {
  const t = useTranslate()
  const { pathname } = useLocation()
  const here = (start: string) => (pathname.startsWith(start) ? 'page' : undefined)
  const chat = t('app.area.chat')
  const admin = t('app.area.admin')
  return (
    <nav className={styles.areas} aria-label={t('app.area')} data-testid="admin-toggle" data-first-paint="superuser">
      <Link to="/conversation" aria-current={here('/conv')} data-tip={chat}>
        <IconMessage size={16} aria-hidden />
        <span>{chat}</span>
      </Link>
      <Link to="/admin/system" aria-current={here('/admin')} data-tip={admin}>
        <IconAdjustmentsHorizontal size={16} aria-hidden />
        <span>{admin}</span>
      </Link>
    </nav>
  )
}

function RepositoryLink() {
  const t = useTranslate()
  return (
    <IconLink label={t('app.repository')} href={REPOSITORY}>
      <IconCode size={18} />
    </IconLink>
  )
}

function UserCorner() {
  const t = useTranslate()
  const { user } = useSession()
  // The key closes the menu when somebody else signs in.
  if (user !== null) return <OwnMenu key={user.id} user={user} />
  return (
    <span className={styles.nobody} data-testid="user-menu">
      {t('app.notLoggedIn')}
    </span>
  )
}

/** The user button. Its menu is loaded when somebody is about to open it, to keep the first load small. */
function OwnMenu({ user }: { user: UserRead }) {
  const [wanted, setWanted] = useState(false)
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
