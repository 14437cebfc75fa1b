import { useLoginExpired } from '#web/foundation/call.ts'
import { useSession } from '#web/foundation/session.ts'
import { lazyComponent } from '#web/kit/lazyComponent.tsx'

const LoginExpiredDialog = lazyComponent(() =>
  import('./LoginExpiredDialog.tsx').then(module => module.LoginExpiredDialog),
)

/** Shows one dialog over the whole page when a call finds the session lost; nothing when nobody was signed in. */
export function LoginExpired() {
  const { open } = useLoginExpired()
  const signedIn = useSession(({ user }) => user !== null)
  return open && signedIn && <LoginExpiredDialog onLoadError={() => useLoginExpired.setState({ open: false })} />
}
