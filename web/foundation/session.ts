import { create } from 'zustand'
import { login, logout, markerCookie, readMe, type UserRead } from '#contract/accounts.ts'
import type { Preferences } from '#contract/preferences.ts'
import { call, TransportFailure, useLoginExpired } from './call.ts'
import { reportFailure } from './failures.ts'
import { changePreferences, forgetPreferences, syncPreferences } from './preferences.ts'
import { dropPreloaded, isPreloaded } from './preloadedAnswers.ts'
import { queryClient } from './queryClient.ts'
import { forgetPerson, readStored, savedLogin, writeStored } from './stored.ts'
import { dropTurnedAway } from './toasts.ts'

export const useSession = create<{ user: UserRead | null }>(() => ({ user: null }))

let arriving: Promise<UserRead | null> | null = null
let syncing: Promise<void> = Promise.resolve()

/**
 * Whether there may be a session: the real cookie cannot be read from here. An answer that came with the page is a sign of one as well: the
 * session may have begun at another address of the portal, or before its marker had this name.
 */
export function hasMarker(): boolean {
  return document.cookie.split('; ').some(pair => pair.startsWith(`${ownMarker()}=`)) || isPreloaded(readMe)
}

const ownMarker = () => markerCookie(window.location.host)

/** The user of the session; null without one. Concurrent callers share one request. */
export function arriveUser(): Promise<UserRead | null> {
  const { user } = useSession.getState()
  if (user !== null || (arriving === null && !hasMarker())) return Promise.resolve(user)
  arriving ??= fetchUser().finally(() => {
    arriving = null
  })
  return arriving
}

/** Until what the account prefers counts here as well. */
export function preferencesHere(): Promise<void> {
  return syncing
}

/** Reads the user anew, for what an ask or a setting has changed. */
export async function refreshUser(): Promise<void> {
  const user = await call(readMe, {})
  const before = useSession.getState().user
  if (before?.id === user.id) useSession.setState({ user })
  else if (before !== null) tellOfOtherPerson()
}

const others = new Set<() => void>()
let watchesTabs = false

/** Calls when the session of this browser is not any more that of the person this page was loaded for. */
export function onOtherPerson(listener: () => void): () => void {
  if (!watchesTabs) onPerson(tellUnlessSame)
  watchesTabs = true
  others.add(listener)
  return () => {
    others.delete(listener)
  }
}

function tellOfOtherPerson(): void {
  for (const listener of [...others]) listener()
}

function tellUnlessSame(user_id: number | null): void {
  const { user } = useSession.getState()
  if (user !== null && user.id !== user_id) tellOfOtherPerson()
}

export async function signIn(form: { username: string; password: string; remember: boolean }): Promise<UserRead> {
  const { username, password } = form
  dropPreloaded()
  try {
    await call(login, { body: { username, password, ...(form.remember ? { remember: 'true' } : {}) } })
  } catch (error) {
    // The specification, section 4: a failed login clears the cookie. A lost network says nothing about it.
    if (!(error instanceof TransportFailure)) clearMarker()
    throw error
  }
  queryClient.clear()
  return enter(await call(readMe, {}))
}

/**
 * Always ends here, whatever the server answers. What was written and not sent stays in this browser. `goAway` leads away from what
 * is in view: a screen from under which the answers were taken would ask for them again, of a server that knows nobody any more.
 */
export async function signOut(goAway: () => Promise<void> | void = () => {}): Promise<void> {
  dropPreloaded()
  await call(logout, {}).catch(() => null)
  useSession.setState({ user: null })
  useLoginExpired.setState({ open: false })
  clearMarker()
  await goAway()
  queryClient.clear()
}

/** When the person wants to go: what this browser has kept for them goes along, unless it was to remember them. */
export async function leave(goAway?: () => Promise<void>): Promise<void> {
  const { user } = useSession.getState()
  await signOut(goAway)
  if (user !== null && !savedLogin().rememberPassword) {
    forgetPerson(user.id)
    forgetPreferences()
  }
  tellPerson(null)
}

/** Takes effect here at once, and in the account when there is one. */
export function setPreferences(changes: Partial<Preferences>): void {
  changePreferences(changes, useSession.getState().user !== null).catch(reportFailure)
}

async function fetchUser(): Promise<UserRead> {
  return enter(await call(readMe, {}, { lostSession: 'throw' }))
}

function enter(user: UserRead): UserRead {
  // Requests that were still open when the last session ended say nothing about this one.
  useLoginExpired.setState({ open: false })
  dropTurnedAway()
  useSession.setState({ user })
  tellPerson(user.id)
  syncing = syncPreferences().catch(reportFailure)
  return user
}

function clearMarker(): void {
  document.cookie = `${ownMarker()}=; Path=/; Max-Age=0; SameSite=Lax`
}

/** Whose the session is: a browser has one, for all of its tabs. */
const PERSON = 'person'

function tellPerson(user_id: number | null): void {
  writeStored(PERSON, user_id === null ? null : String(user_id))
}

/** Calls when another tab has signed out, or has signed somebody in: what is open here is not theirs to see, nor to ask in. */
function onPerson(listener: (user_id: number | null) => void): void {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === PERSON) listener(newValue === null ? null : Number(newValue))
  })
  // A page that comes back as it was has heard nothing meanwhile.
  window.addEventListener('pageshow', ({ persisted }) => {
    const person = readStored(PERSON)
    if (persisted) listener(person === null ? null : Number(person))
  })
}
