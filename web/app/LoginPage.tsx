import { useRouter, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { LoginScreen } from '#web/users/LoginScreen.tsx'
import { useSession } from '#web/foundation/session.ts'
import { knownPath } from './guards.ts'

/** Goes on to the wanted page as soon as somebody is signed in, at once if they are already. */
export function LoginPage() {
  const { history } = useRouter()
  const { redirect, problem } = useSearch({ from: '/login' })
  const signedIn = useSession(({ user }) => user !== null)
  useEffect(() => {
    if (signedIn) history.replace(knownPath(redirect) ?? '/conversation')
  }, [signedIn, history, redirect])
  return signedIn ? null : <LoginScreen problem={problem} redirect={knownPath(redirect)} />
}
