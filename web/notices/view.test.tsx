import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { renderHook } from 'vitest-browser-react'
import { answerCalls, aUser, freshDevice, success } from '#web/foundation/api.testing.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { useSession } from '#web/foundation/session.ts'
import { useNoteView } from './useNoteView.ts'

const ID = '0b7a8f0c-7c1e-4a50-9d3e-0a4c3c2b1a00'
const VIEW = 'POST /user/me/notices/view'

let visibility: DocumentVisibilityState = 'visible'

beforeEach(() => {
  freshDevice()
  queryClient.clear()
  useSession.setState({ user: aUser() })
  visibility = 'visible'
  const spy = vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility)
  onTestFinished(() => spy.mockRestore())
})

function become(state: DocumentVisibilityState): void {
  visibility = state
  document.dispatchEvent(new Event('visibilitychange'))
}

async function watching(devices = 1) {
  const made = answerCalls({
    'GET /user/me/notices': success({ public_key: 'x', devices, reminder: null }),
    [VIEW]: success(),
  })
  const hook = await renderHook(
    ({ isAwaited }: { isAwaited: boolean } = { isAwaited: true }) => useNoteView(ID, isAwaited),
    {
      initialProps: { isAwaited: true },
    },
  )
  const said = () =>
    made.flatMap(({ call, body }) =>
      call === VIEW ? [(body as { conversation_id: string | null }).conversation_id] : [],
    ) // as sent
  return { made, said, ...hook }
}

describe('a page in which an answer is awaited', () => {
  test('says that it is in view, and when it is not', async () => {
    const { said } = await watching()
    await vi.waitFor(() => expect(said()).toEqual([ID]))
    become('hidden')
    await vi.waitFor(() => expect(said()).toEqual([ID, null]))
    become('visible')
    await vi.waitFor(() => expect(said()).toEqual([ID, null, ID]))
  })
  test('says nothing where the person is told nowhere', async () => {
    const { made, said } = await watching(0)
    await vi.waitFor(() => expect(made).toHaveLength(1))
    become('hidden')
    expect(said()).toEqual([])
  })
  test('whose answer ends behind another window says so in its title, until somebody looks', async () => {
    document.title = '三年电费的图 · Chat Commons'
    const { said, rerender } = await watching()
    await vi.waitFor(() => expect(said()).toEqual([ID]))
    become('hidden')
    await rerender({ isAwaited: false })
    await vi.waitFor(() => expect(document.title).toBe('● 回答好了 · 三年电费的图 · Chat Commons'))
    become('visible')
    expect(document.title).toBe('三年电费的图 · Chat Commons')
  })
  test('that is looked at keeps its title', async () => {
    document.title = 'x'
    const { said, rerender } = await watching()
    await vi.waitFor(() => expect(said()).toEqual([ID]))
    await rerender({ isAwaited: false })
    await import('./view.ts')
    expect(document.title).toBe('x')
  })
})
