/** A growing text outside React: the socket appends, and the renderer reads it at its own pace. */
export type TextFeed = {
  append(text: string): void
  /** Replaces the whole text, as after a lost connection. */
  replace(text: string): void
  finish(): void
  readonly text: string
  readonly done: boolean
  /** When it began, in milliseconds of this device's clock. */
  readonly since: number
  subscribe(listener: () => void): () => void
}

export function textFeed(initial = '', initiallyDone = false): TextFeed {
  const listeners = new Set<() => void>()
  const since = Date.now()
  let text = initial
  let done = initiallyDone
  const notify = () => {
    for (const listener of [...listeners]) listener()
  }
  return {
    append(more) {
      if (more) {
        text += more
        notify()
      }
    },
    replace(whole) {
      if (whole !== text) {
        text = whole
        notify()
      }
    },
    finish() {
      if (!done) {
        done = true
        notify()
      }
    },
    get text() {
      return text
    },
    get done() {
      return done
    },
    since,
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
