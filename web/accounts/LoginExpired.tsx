import { useLoginExpired } from '#web/foundation/call.ts'
import { useSession } from '#web/foundation/session.ts'
import { lazyComponent } from '#web/kit/lazyComponent.tsx'

const LoginExpiredDialog = lazyComponent(() =>
  import('./LoginExpiredDialog.tsx').then(module => module.LoginExpiredDialog),
)

/** One dialog over the whole page when a call finds that the session is lost; none where nobody is signed in. */
export function LoginExpired() {
  const { open } = useLoginExpired()
  const signedIn = useSession(({ user }) => user !== null)
  return open && signedIn && <LoginExpiredDialog onLoadError={() => useLoginExpired.setState({ open: false })} />
}
