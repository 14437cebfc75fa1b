import { lazy, Suspense } from 'react'
import { useLoginExpired } from '#web/foundation/loginExpired.ts'

const LoginExpiredDialog = lazy(() => import('./LoginExpiredDialog.tsx').then(module => ({ default: module.LoginExpiredDialog })))

/** One dialog over the whole page when a call has found the session gone. */
export function LoginExpired() {
  const { open } = useLoginExpired()
  return <Suspense>{open && <LoginExpiredDialog />}</Suspense>
}
