import { QueryClientProvider } from '@tanstack/react-query'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import type { InterpreterInfo } from '#contract/conversations.ts'
import { until, untilInFakeTime } from '#testing/until.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { Kit } from '#web/kit/Kit.tsx'
import { InterpreterTime } from './InterpreterTime.tsx'

const CONVERSATION = '5f1d2c3b-8a47-4d21-9c10-000000000000'

/** Renders it with the answer of the server. `ran` simulates a further code run. */
async function drawn(answer: InterpreterInfo | null) {
  queryClient.clear()
  const calls: string[] = []
  vi.stubGlobal('fetch', (url: string) => {
    calls.push(url)
    const refusal = { code: 502, message: 'errors.upstreamTimeout', result: null }
    return Promise.resolve(Response.json(answer === null ? refusal : { code: 200, message: '', result: answer }))
  })
  const view = (run: string) => (
    <QueryClientProvider client={queryClient}>
      <Kit>
        <InterpreterTime conversation_id={CONVERSATION} run={run} />
      </Kit>
    </QueryClientProvider>
  )
  const screen = await render(view('run-1'))
  return { screen, calls, ran: (run: string) => screen.rerender(view(run)) }
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('the time that the code interpreter has left', () => {
  test('is counted down, requested every two minutes and after a run, and hidden at its end', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] })
    const { screen, calls, ran } = await drawn({ kernel_started: true, time_remaining_ms: 4.2 * 60_000 })
    const text = () => screen.container.textContent
    await untilInFakeTime(() => expect(text()).toContain('代码环境还剩 4 分钟'))
    expect(calls).toEqual([`/api/conv/${CONVERSATION}/interpreter`])
    await vi.advanceTimersByTimeAsync(90_000)
    await untilInFakeTime(() => expect(text()).toContain('代码环境还剩 3 分钟'))
    expect(calls).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(31_000)
    await untilInFakeTime(() => expect(calls).toHaveLength(2))
    await ran('run-2')
    await untilInFakeTime(() => expect(calls).toHaveLength(3))
  })

  test.each([
    ['it has not started', { kernel_started: false, time_remaining_ms: 0 }],
    ['none is left', { kernel_started: true, time_remaining_ms: 0 }],
    ['nobody can say', null],
  ])('is not shown where %s', async (_why, answer) => {
    const { screen, calls } = await drawn(answer)
    await until(() => expect(calls).toHaveLength(1))
    await until(() => expect(queryClient.isFetching()).toBe(0))
    expect(screen.container.textContent).toBe('')
  })
})
