import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { DEFAULT_PREFERENCES } from '#contract/preferences.ts'
import { answerCalls, aUser, freshDevice, leaveMarker, refusal, success } from './api.testing.ts'
import { RefusedCall, TransportFailure, useLoginExpired } from './call.ts'
import { changePreferences, currentPreferences } from './preferences.ts'
import { queryClient } from './queryClient.ts'
import {
  loadUser,
  mayHaveSession,
  signOutAndForget,
  onUserChange,
  refreshUser,
  signIn,
  signOut,
  useSession,
} from './session.ts'
import { lastSelection, rememberSelection, saveLogin } from './stored.ts'

const form = { username: 'linxiaoyu', password: 'a password', remember: false }
const currentUser = () => useSession.getState().user

beforeEach(freshDevice)
// Files of tests share what the browser keeps: the next one must not begin with a preference of this one.
afterAll(freshDevice)

describe('arriving', () => {
  test('without the marker cookie sends no request', async () => {
    const made = answerCalls({})
    expect(await loadUser()).toBe(null)
    expect(made).toEqual([])
  })
  test('with the marker cookies of other portals at the same host sends no request', async () => {
    const others = ['cws_user_auth', 'commons_signed_in_1']
    for (const name of others) document.cookie = `${name}=1; Path=/`
    onTestFinished(() => {
      for (const name of others) document.cookie = `${name}=; Path=/; Max-Age=0`
    })
    const made = answerCalls({})
    expect(await loadUser()).toBe(null)
    expect(made).toEqual([])
  })
  test('fetches the user once, however many wait for it', async () => {
    leaveMarker()
    const made = answerCalls({ 'GET /user/me': success(aUser()) })
    const [first, second] = await Promise.all([loadUser(), loadUser()])
    expect(first).toEqual(aUser())
    expect(second).toBe(first)
    expect(await loadUser()).toBe(first)
    expect(made.filter(({ call }) => call === 'GET /user/me')).toHaveLength(1)
  })
  test('with a session that has ended throws, and opens no dialog: the guard leads to the login page', async () => {
    leaveMarker()
    answerCalls({ 'GET /user/me': refusal('loginExpired') })
    await expect(loadUser()).rejects.toBeInstanceOf(RefusedCall)
    expect(useLoginExpired.getState().open).toBe(false)
  })
  test('can be tried again after the server was unreachable', async () => {
    leaveMarker()
    let away = true
    answerCalls({
      'GET /user/me': () => {
        if (away) throw new TypeError('Failed to fetch')
        return success(aUser())
      },
    })
    await expect(loadUser()).rejects.toBeInstanceOf(TransportFailure)
    away = false
    expect(await loadUser()).toEqual(aUser())
  })
})

describe('signing in', () => {
  test('sends a form and then fetches the user and the preferences', async () => {
    const made = answerCalls({ 'POST /auth/login': success(), 'GET /user/me': success(aUser()) })
    await signIn(form)
    await expect
      .poll(() => made.map(({ call }) => call))
      .toEqual(['POST /auth/login', 'GET /user/me', 'GET /user/me/preferences'])
    expect(made[0]?.body).toEqual({ username: 'linxiaoyu', password: 'a password' })
    expect(currentUser()?.username).toBe('linxiaoyu')
  })
  test('forgets what another user had loaded', async () => {
    answerCalls({ 'POST /auth/login': success(), 'GET /user/me': success(aUser()) })
    queryClient.setQueryData(['conversations'], ['of somebody else'])
    await signIn(form)
    expect(queryClient.getQueryData(['conversations'])).toBe(undefined)
  })
  test('forgets that the last session had ended', async () => {
    answerCalls({ 'POST /auth/login': success(), 'GET /user/me': success(aUser()) })
    useLoginExpired.setState({ open: true })
    await signIn(form)
    expect(useLoginExpired.getState().open).toBe(false)
  })
  test('that is refused clears the login cookie', async () => {
    leaveMarker()
    answerCalls({ 'POST /auth/login': refusal('badCredentials') })
    await expect(signIn(form)).rejects.toMatchObject({ key: 'badCredentials' })
    expect(mayHaveSession()).toBe(false)
    expect(useLoginExpired.getState().open).toBe(false)
  })
  test('that reaches no server keeps the cookie', async () => {
    leaveMarker()
    answerCalls({ 'POST /auth/login': 'away' })
    await expect(signIn(form)).rejects.toBeInstanceOf(TransportFailure)
    expect(mayHaveSession()).toBe(true)
  })
})

describe('signing out', () => {
  test.each([
    ['answers', success()],
    ['refuses', refusal('internal')],
    ['is away', 'away' as const],
  ])('ends here even when the server %s', async (_, answer) => {
    leaveMarker()
    useSession.setState({ user: aUser() })
    useLoginExpired.setState({ open: true })
    queryClient.setQueryData(['portal'], {})
    answerCalls({ 'POST /auth/logout': answer })
    await signOut()
    expect(currentUser()).toBe(null)
    expect(mayHaveSession()).toBe(false)
    expect(useLoginExpired.getState().open).toBe(false)
    expect(queryClient.getQueryData(['portal'])).toBe(undefined)
  })
  test('navigates before the queries are cleared', async () => {
    answerCalls({ 'POST /auth/logout': success() })
    useSession.setState({ user: aUser() })
    queryClient.setQueryData(['portal'], 'in view')
    let found: unknown[] = []
    await signOut(async () => {
      found = [currentUser(), queryClient.getQueryData(['portal'])]
    })
    expect(found).toEqual([null, 'in view'])
    expect(queryClient.getQueryData(['portal'])).toBe(undefined)
  })
})

describe('the user', () => {
  test('can be read again, after an ask has changed it', async () => {
    useSession.setState({ user: aUser() })
    answerCalls({
      'GET /user/me': success(aUser({ nickname: '小雨' })),
      'GET /user/me/preferences': success(DEFAULT_PREFERENCES),
    })
    await refreshUser()
    expect(currentUser()?.nickname).toBe('小雨')
  })
})

describe('another tab of the browser', () => {
  /** What another tab has written, as this one receives it. */
  const store = (person: string | null) =>
    window.dispatchEvent(new StorageEvent('storage', { key: 'person', newValue: person }))
  function listening() {
    const changed = vi.fn()
    onTestFinished(onUserChange(changed))
    return changed
  }

  test('that signs in somebody else, or signs out, leaves nothing of this user open here', () => {
    const changed = listening()
    useSession.setState({ user: aUser({ id: 2 }) })
    store('3')
    expect(changed).toHaveBeenCalledTimes(1)
    store(null)
    expect(changed).toHaveBeenCalledTimes(2)
  })
  test('that signs in the same user, or anybody where nobody is, changes nothing here', () => {
    const changed = listening()
    useSession.setState({ user: aUser({ id: 2 }) })
    store('2')
    useSession.setState({ user: null })
    store('3')
    expect(changed).not.toHaveBeenCalled()
  })
  test('hears who has signed in, and that they have left', async () => {
    answerCalls({
      'POST /auth/login': success(),
      'POST /auth/logout': success(),
      'GET /user/me': success(aUser({ id: 2 })),
    })
    await signIn(form)
    expect(localStorage.getItem('person')).toBe('2')
    await signOutAndForget()
    expect(localStorage.getItem('person')).toBe(null)
  })
  test('is not awaited: every request for the account checks who has the session', async () => {
    const changed = listening()
    useSession.setState({ user: aUser({ id: 2 }) })
    answerCalls({ 'GET /user/me': success(aUser({ id: 3 })) })
    await refreshUser()
    expect(changed).toHaveBeenCalledOnce()
    expect(currentUser()?.id).toBe(2)
  })
})

describe('leaving', () => {
  async function leaveHaving(rememberPassword: boolean) {
    answerCalls({ 'POST /auth/logout': success() })
    saveLogin({ rememberPassword, savedUsername: 'linxiaoyu' })
    useSession.setState({ user: aUser({ id: 2 }) })
    localStorage.setItem('drafts.2', '{"new":"mine"}')
    localStorage.setItem('drafts.12', '{"new":"of somebody else"}')
    rememberSelection({ source: 'openai_api', model: 'gpt_4' })
    await changePreferences({ theme: 'dark', sendKey: 'Ctrl+Enter' }, false)
    await signOutAndForget()
    expect(currentUser()).toBe(null)
  }

  test('removes what the browser has stored of the user, and nothing of others', async () => {
    await leaveHaving(false)
    expect([
      localStorage.getItem('drafts.2'),
      localStorage.getItem('unsentPreference'),
      localStorage.getItem('preference'),
    ]).toEqual([null, null, null])
    expect(localStorage.getItem('drafts.12')).toContain('somebody else')
    expect(lastSelection()).toEqual({ source: null, model: null })
    expect(currentPreferences()).toEqual({ ...DEFAULT_PREFERENCES, theme: 'dark' })
  })
  test('keeps it on a device that was told to remember the user', async () => {
    await leaveHaving(true)
    expect(localStorage.getItem('drafts.2')).toContain('mine')
    expect(lastSelection().model).toBe('gpt_4')
    expect(currentPreferences().sendKey).toBe('Ctrl+Enter')
  })
})
