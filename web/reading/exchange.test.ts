import { describe, expect, test, vi } from 'vitest'
import type { ReadingResponse } from './protocol.ts'
import { exchangeWith, type ReadingThread } from './readFile.ts'
import { DEADLINES, type ReadingProgress } from './reading.ts'

/** A worker that says what the test has it say. */
function aThread() {
  const target = new EventTarget()
  const thread = Object.assign(target, { postMessage: vi.fn(), terminate: vi.fn() })
  return {
    thread: thread as unknown as ReadingThread, // events of a worker are those of any target
    say: (data: ReadingResponse) => target.dispatchEvent(new MessageEvent('message', { data })),
    fail: () => target.dispatchEvent(new Event('error')),
    terminate: thread.terminate,
  }
}

function anExchange(signal?: AbortSignal) {
  const { thread, ...worker } = aThread()
  const progress: ReadingProgress[] = []
  const answered = vi.fn()
  const result = exchangeWith(thread, {
    request: { kind: 'read', file: new Blob(['x']), name: 'x', type: '', maxPictureSide: 1, password: null },
    signal,
    onProgress: each => void progress.push(each),
    onResponse: response => (response.kind === 'done' ? 'done' : null),
    onEnd: reason => reason,
    onAnswered: () => void answered(),
  })
  return { ...worker, progress, answered, result }
}

describe('a worker that reads a file', () => {
  test('may be asked again when it has answered', async () => {
    const { say, result, progress, answered, terminate } = anExchange()
    say({ kind: 'progress', done: 1, total: 2 })
    say({ kind: 'done', partial: null })
    expect(await result).toBe('done')
    expect(progress).toEqual([{ done: 1, total: 2 }])
    expect(answered).toHaveBeenCalledOnce()
    expect(terminate).not.toHaveBeenCalled()
  })
  test('is ended when it says nothing for too long, but not while it loads its scripts', async () => {
    vi.useFakeTimers()
    const { say, result, terminate } = anExchange()
    vi.advanceTimersByTime(DEADLINES.silence + 1)
    say({ kind: 'loading' })
    vi.advanceTimersByTime(DEADLINES.silence + 1)
    say({ kind: 'progress', done: 0, total: null })
    vi.advanceTimersByTime(DEADLINES.silence - 1)
    expect(terminate).not.toHaveBeenCalled()
    vi.advanceTimersByTime(2)
    expect(await result).toBe('tookTooLong')
    expect(terminate).toHaveBeenCalledOnce()
    vi.useRealTimers()
  })
  test('is ended when it takes too long in all, however much it says', async () => {
    vi.useFakeTimers()
    const { say, result } = anExchange()
    for (let time = 0; time < DEADLINES.all; time += 1_000) {
      say({ kind: 'progress', done: time, total: null })
      vi.advanceTimersByTime(1_000)
    }
    expect(await result).toBe('tookTooLong')
    vi.useRealTimers()
  })
  test('that fails, as for want of memory, is words too', async () => {
    const { fail, result, terminate } = anExchange()
    fail()
    expect(await result).toBe('failed')
    expect(terminate).toHaveBeenCalledOnce()
  })
  test('is ended when nobody wants its answer any more', async () => {
    const abort = new AbortController()
    const { result, terminate } = anExchange(abort.signal)
    abort.abort(new Error('closed'))
    await expect(result).rejects.toThrow('closed')
    expect(terminate).toHaveBeenCalledOnce()
  })
})
