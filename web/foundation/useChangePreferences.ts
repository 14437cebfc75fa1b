import { useCallback } from 'react'
import type { Preferences } from '#contract/preferences.ts'
import { reportFailure } from './failures.ts'
import { changePreferences } from './preferences.ts'
import { useSession } from './session.ts'

/** Changes some preferences, here at once and in the account when there is one. */
export function useChangePreferences(): (changes: Partial<Preferences>) => void {
  const signedIn = useSession(({ user }) => user !== null)
  return useCallback(
    changes => {
      changePreferences(changes, signedIn).catch(reportFailure)
    },
    [signedIn],
  )
}
