import { ArkoseResult, beginArkose } from '#contract/arkose.ts'
import { call } from './call.ts'

/** Milliseconds from the beginning to a token. */
const LONGEST_MS = 8000

/**
 * What came of it. `unreachable`: the portal gave no frame; `blocked`: this page was loaded before the endpoint was switched on, so that its
 * policy lets no frame in; `script` and `enforcement`: the endpoint failed; `late`: nothing came in time.
 */
export type ArkoseOutcome =
  | { token: string }
  | { failed: 'unreachable' | 'blocked' | 'script' | 'enforcement' | 'late' | 'aborted' }

/** Fetches a token in a sandboxed frame, which has no origin and reaches nothing but the endpoint. Never rejects. */
export async function fetchArkoseToken(given: AbortSignal, longest_ms = LONGEST_MS): Promise<ArkoseOutcome> {
  const signal = AbortSignal.any([given, AbortSignal.timeout(longest_ms)])
  const frame_url = await call(beginArkose, {}, { signal, lostSession: 'throw' }).then(
    result => result.frame_url,
    () => null,
  )
  if (signal.aborted) return ended(given)
  if (frame_url === null || !frame_url.startsWith('/api/arkose/frame/')) return { failed: 'unreachable' }
  return resultOf(frame_url, given, signal)
}

const ended = (given: AbortSignal): ArkoseOutcome => ({ failed: given.aborted ? 'aborted' : 'late' })

function resultOf(frame_url: string, given: AbortSignal, signal: AbortSignal): Promise<ArkoseOutcome> {
  const frame = hiddenFrame(frame_url)
  const over = new AbortController()
  const outcome = new Promise<ArkoseOutcome>(resolve => {
    const until = { signal: over.signal }
    signal.addEventListener('abort', () => resolve(ended(given)), until)
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
        if (source !== frame.contentWindow || origin !== 'null') return
        const result = ArkoseResult.safeParse(data)
        if (result.success)
          resolve(result.data.arkose === 'token' ? { token: result.data.token } : { failed: result.data.reason })
      },
      until,
    )
    document.body.append(frame)
  })
  return outcome.finally(() => {
    over.abort()
    frame.remove()
  })
}

/** It is laid out, as scripts that measure expect, and out of everybody's way. */
function hiddenFrame(src: string): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts')
  Object.assign(frame, { src, title: 'Arkose', tabIndex: -1, ariaHidden: 'true', referrerPolicy: 'no-referrer' })
  Object.assign(frame.style, { position: 'fixed', insetInlineEnd: '0', bottom: '0', width: '1px', height: '1px' })
  Object.assign(frame.style, { border: '0', opacity: '0', pointerEvents: 'none' })
  return frame
}
