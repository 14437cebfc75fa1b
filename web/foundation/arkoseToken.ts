import { ArkoseResult, beginArkose } from '#contract/arkose.ts'
import { type PuzzleFrame, puzzleFrame } from './arkoseFrame.ts'
import { call } from './call.ts'

/** Milliseconds from the beginning to a token, and for whoever has something to solve. */
const LONGEST_MS = 8000
const SOLVED_IN_MS = 120_000

/**
 * What came of it. `unreachable`: the portal gave no frame; `blocked`: this page was loaded before the endpoint was switched on, so that its
 * policy lets no frame in; `script` and `enforcement`: the endpoint failed; `late`: nothing came in time; `skipped`: what was to be solved was
 * not wanted.
 */
export type ArkoseOutcome =
  | { token: string }
  | { failed: 'unreachable' | 'blocked' | 'script' | 'enforcement' | 'late' | 'skipped' | 'aborted' }

/**
 * Fetches a token in a sandboxed frame, which has no origin and reaches nothing but the endpoint. The frame is shown only where the endpoint
 * wants something solved. Never rejects.
 */
export async function fetchArkoseToken(given: AbortSignal, longest_ms = LONGEST_MS): Promise<ArkoseOutcome> {
  const deadline = deadlineIn(longest_ms)
  const signal = AbortSignal.any([given, deadline.signal])
  try {
    const frame_url = await call(beginArkose, {}, { signal, lostSession: 'throw' }).then(
      result => result.frame_url,
      () => null,
    )
    if (signal.aborted) return ended(given)
    if (frame_url === null || !frame_url.startsWith('/api/arkose/frame/')) return { failed: 'unreachable' }
    const outcome = Promise.withResolvers<ArkoseOutcome>()
    const frame = puzzleFrame(frame_url, () => outcome.resolve({ failed: 'skipped' }))
    signal.addEventListener('abort', () => outcome.resolve(ended(given)), { once: true })
    const stop = listenTo(frame, outcome.resolve, () => deadline.extend(SOLVED_IN_MS))
    document.body.append(frame.element)
    return await outcome.promise.finally(() => {
      stop()
      frame.remove()
    })
  } finally {
    deadline.extend(null)
  }
}

const ended = (given: AbortSignal): ArkoseOutcome => ({ failed: given.aborted ? 'aborted' : 'late' })

/** Milliseconds; null: no more. */
function deadlineIn(first_ms: number) {
  const late = new AbortController()
  let timer = 0
  const extend = (ms: number | null) => {
    window.clearTimeout(timer)
    if (ms !== null) timer = window.setTimeout(() => late.abort(), ms)
  }
  extend(first_ms)
  return { signal: late.signal, extend }
}

/** Returns what ends it. */
function listenTo(frame: PuzzleFrame, resolve: (outcome: ArkoseOutcome) => void, onShown: () => void): () => void {
  const over = new AbortController()
  const until = { signal: over.signal }
  document.addEventListener(
    'securitypolicyviolation',
    ({ effectiveDirective }) => {
      if (effectiveDirective === 'frame-src') resolve({ failed: 'blocked' })
    },
    until,
  )
  window.addEventListener(
    'message',
    ({ source, origin, data }: MessageEvent<unknown>) => {
      // Of a sandboxed frame the origin is none.
      if (source !== frame.window() || origin !== 'null') return
      const result = ArkoseResult.safeParse(data)
      if (!result.success) return
      switch (result.data.arkose) {
        case 'token':
          return resolve({ token: result.data.token })
        case 'failed':
          return resolve({ failed: result.data.reason })
        case 'shown':
          // Whoever says so again and again wins no time by it.
          if (frame.show()) onShown()
      }
    },
    until,
  )
  return () => over.abort()
}
