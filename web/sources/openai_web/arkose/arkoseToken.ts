import { ArkoseResult, beginArkose } from '#contract/arkose.ts'
import { call } from '#web/foundation/call.ts'
import { translate } from '#web/i18n/useTranslate.ts'

/** Milliseconds until a token must be there; longer when the user has a puzzle to solve. */
const MAX_MS = 8000
const SOLVED_IN_MS = 120_000

/**
 * The outcome. `unreachable`: the portal gave no frame; `blocked`: this page was loaded before the endpoint was
 * switched on, so its policy forbids the frame; `script` and `enforcement`: the endpoint failed; `late`: nothing came
 * in time; `skipped`: the user did not want to solve the puzzle.
 */
export type ArkoseOutcome =
  | { token: string }
  | { failed: 'unreachable' | 'blocked' | 'script' | 'enforcement' | 'late' | 'skipped' | 'aborted' }

/**
 * Fetches a token in a sandboxed frame, which has no origin and can reach only the endpoint. The frame is shown only
 * when the endpoint has a puzzle to solve. Never rejects.
 */
export async function fetchArkoseToken(given: AbortSignal, longest_ms = MAX_MS): Promise<ArkoseOutcome> {
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

/** A signal that aborts after so many milliseconds. `extend` sets another time, or with null none. */
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

/** Returns a function that stops listening. */
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
      // The origin of a sandboxed frame is the text "null".
      if (source !== frame.window() || origin !== 'null') return
      const result = ArkoseResult.safeParse(data)
      if (!result.success) return
      switch (result.data.arkose) {
        case 'token':
          return resolve({ token: result.data.token })
        case 'failed':
          return resolve({ failed: result.data.reason })
        case 'shown':
          // Only the first "shown" extends the time.
          if (frame.show()) onShown()
      }
    },
    until,
  )
  return () => over.abort()
}

type PuzzleFrame = {
  element: HTMLElement
  window(): Window | null
  /** Shows it above everything else; returns false when it was shown already. */
  show(): boolean
  remove(): void
}

/** Laid out, because scripts of the endpoint measure it, but out of the way. */
const HIDDEN = { display: 'block', position: 'fixed', insetInline: 'auto 0', insetBlock: 'auto 0', margin: '0' }
const INVISIBLE = { padding: '0', border: '0', width: '1px', height: '1px', opacity: '0', pointerEvents: 'none' }

/** Looks like a default button of Mantine, which is not loaded for this. */
const BUTTON = {
  font: 'inherit',
  fontSize: 'var(--mantine-font-size-sm)',
  padding: '0.5rem 0.875rem',
  border: '1px solid var(--mantine-color-default-border)',
  borderRadius: 'var(--mantine-radius-sm)',
  background: 'var(--mantine-color-default)',
  color: 'inherit',
  cursor: 'pointer',
}

/**
 * A sandboxed frame in a dialog that is invisible until `show`. It is in the dialog from the beginning, since a frame
 * that is moved loads again.
 */
function puzzleFrame(src: string, onSkip: () => void): PuzzleFrame {
  const dialog = document.createElement('dialog')
  const title = document.createElement('p')
  const frame = document.createElement('iframe')
  const skip = document.createElement('button')
  title.textContent = translate('asking.arkosePuzzle')
  skip.textContent = translate('asking.arkoseSkip')
  skip.type = 'button'
  skip.addEventListener('click', onSkip)
  // fired by Escape
  dialog.addEventListener('cancel', onSkip)
  frame.setAttribute('sandbox', 'allow-scripts')
  Object.assign(frame, { src, title: 'Arkose', referrerPolicy: 'no-referrer' })
  Object.assign(frame.style, { border: '0', width: 'min(26rem, 85vw)', height: 'min(30rem, 65dvh)' })
  Object.assign(dialog, { inert: true, ariaLabel: title.textContent })
  Object.assign(dialog.style, HIDDEN, INVISIBLE)
  dialog.append(title, frame, skip)
  return {
    element: dialog,
    window: () => frame.contentWindow,
    show() {
      if (dialog.open) return false
      dialog.removeAttribute('style')
      Object.assign(dialog.style, { padding: '1rem', border: '0', borderRadius: 'var(--mantine-radius-md)' })
      Object.assign(dialog.style, { background: 'var(--mantine-color-body)', color: 'var(--mantine-color-text)' })
      Object.assign(frame.style, { display: 'block', margin: '0.75rem 0' })
      Object.assign(title.style, { margin: '0', fontSize: 'var(--mantine-font-size-sm)' })
      Object.assign(skip.style, BUTTON)
      dialog.inert = false
      dialog.showModal()
      return true
    },
    remove() {
      // Closing returns the focus.
      if (dialog.open) dialog.close()
      dialog.remove()
    },
  }
}
