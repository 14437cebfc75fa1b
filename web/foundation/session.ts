import { create } from 'zustand'
import { login, logout, markerCookie, readMe, type UserRead } from '#contract/users.ts'
import type { Preferences } from '#contract/preferences.ts'
import { dropAdminTexts } from '#web/i18n/useTranslate.ts'
import { call, TransportFailure, useLoginExpired } from './call.ts'
import { reportFailure } from './failures.ts'
import { changePreferences, resetPreferences, syncPreferences } from './preferences.ts'
import { dropPreloaded, isPreloaded } from './preloadedAnswers.ts'
import { queryClient } from './queryClient.ts'
import { readStored, removeEntriesOf, savedLogin, writeStored } from './stored.ts'
import { dropTurnedAway } from './toasts.ts'

/** The signed-in user; null while nobody is signed in or the session is still being loaded. */
export const useSession = create<{ user: UserRead | null }>(() => ({ user: null }))

/** Entry of local storage: the id of the signed-in user. All tabs of a browser share one session. */
const SIGNED_IN = 'person'

const userChange = new EventTarget()
let loading: Promise<UserRead | null> | null = null
let syncing: Promise<void> = Promise.resolve()

/**
 * Whether there may be a session. Scripts cannot read its cookie, but a marker beside it; an answer that the server
 * sent with the page shows a session that has no marker under this address.
 */
export function mayHaveSession(): boolean {
  return document.cookie.split('; ').some(pair => pair.startsWith(`${ownMarker()}=`)) || isPreloaded(readMe)
}

const ownMarker = () => markerCookie(window.location.host)

/** The user of the session; null without one. Concurrent callers share one request. */
export function loadUser(): Promise<UserRead | null> {
  const { user } = useSession.getState()
  if (user !== null || (loading === null && !mayHaveSession())) return Promise.resolve(user)
  loading ??= call(readMe, {}, { lostSession: 'throw' })
    .then(startSession)
    .finally(() => {
      loading = null
    })
  return loading
}

/** Resolves when the account's preferences apply on this device. */
export function preferencesSynced(): Promise<void> {
  return syncing
}

/** Reads the user again after an ask or a setting has changed it. */
export async function refreshUser(): Promise<void> {
  const user = await call(readMe, {})
  const before = useSession.getState().user
  if (before?.id === user.id) useSession.setState({ user })
  else if (before !== null) userChange.dispatchEvent(new Event('change'))
}

/**
 * Calls the listener when the session ends or becomes another user's, in this tab or another one. Returns what stops
 * it.
 */
export function onUserChange(listener: () => void): () => void {
  const stop = new AbortController()
  const { signal } = stop
  const compare = (user_id: string | null) => {
    const { user } = useSession.getState()
    if (user !== null && String(user.id) !== user_id) listener()
  }
  userChange.addEventListener('change', listener, { signal })
  window.addEventListener('storage', ({ key, newValue }) => key === SIGNED_IN && compare(newValue), { signal })
  // A page restored from the back/forward cache has missed the storage events.
  window.addEventListener('pageshow', ({ persisted }) => persisted && compare(readStored(SIGNED_IN)), { signal })
  return () => stop.abort()
}

export async function signIn(form: { username: string; password: string; remember: boolean }): Promise<UserRead> {
  const { username, password } = form
  return enter(async () => {
    try {
      await call(login, { body: { username, password, ...(form.remember ? { remember: 'true' } : {}) } })
    } catch (error) {
      // The specification, section 4: a failed login clears the cookie. A lost connection says nothing about it.
      if (!(error instanceof TransportFailure)) clearMarker()
      throw error
    }
  })
}

/** By a call that begins a session, such as that of an invitation. */
export async function enter(begin: () => Promise<unknown>): Promise<UserRead> {
  dropPreloaded()
  await begin()
  queryClient.clear()
  return startSession(await call(readMe, {}))
}

/**
 * Ends the session here, whatever the server answers; unsent drafts stay in this browser. `navigate` leaves the current
 * screen before the queries are cleared: it would fetch them again without a session.
 */
export async function signOut(navigate: () => Promise<void> | void = () => {}): Promise<void> {
  dropPreloaded()
  await call(logout, {}).catch(() => null)
  useSession.setState({ user: null })
  useLoginExpired.setState({ open: false })
  clearMarker()
  await navigate()
  queryClient.clear()
}

/** Signs out and removes what this browser stored for the user, unless the login form was told to remember them. */
export async function signOutAndForget(navigate?: () => Promise<void>): Promise<void> {
  const { user } = useSession.getState()
  await signOut(navigate)
  if (user !== null && !savedLogin().rememberPassword) {
    removeEntriesOf(user.id)
    resetPreferences()
  }
  writeStored(SIGNED_IN, null)
}

/** Applies preferences here at once, and stores them in the account when there is one. */
export function setPreferences(changes: Partial<Preferences>): void {
  changePreferences(changes, useSession.getState().user !== null).catch(reportFailure)
}

function startSession(user: UserRead): UserRead {
  // A request of the previous session may have opened the dialog.
  useLoginExpired.setState({ open: false })
  dropTurnedAway()
  // The previous user of this page may have been an administrator.
  if (!user.is_superuser) void dropAdminTexts().catch(() => undefined)
  useSession.setState({ user })
  writeStored(SIGNED_IN, String(user.id))
  syncing = syncPreferences().catch(reportFailure)
  return user
}

function clearMarker(): void {
  document.cookie = `${ownMarker()}=; Path=/; Max-Age=0; SameSite=Lax`
}
