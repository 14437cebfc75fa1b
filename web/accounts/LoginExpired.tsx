import { lazy, Suspense } from 'react'
import { useLoginExpired } from '#web/foundation/loginExpired.ts'
import { useSession } from '#web/foundation/session.ts'

const LoginExpiredDialog = lazy(() => import('./LoginExpiredDialog.tsx').then(module => ({ default: module.LoginExpiredDialog })))

/** One dialog over the whole page when a call has found the session gone; where nobody is signed in, nobody's login has expired. */
export function LoginExpired() {
  const { open } = useLoginExpired()
  const signedIn = useSession(({ user }) => user !== null)
  return <Suspense>{open && signedIn && <LoginExpiredDialog />}</Suspense>
}
