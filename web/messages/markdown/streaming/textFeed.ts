/** A text that grows outside React: the socket appends, a renderer reads what there is when it has a frame to spare. */
export type TextFeed = {
  append(text: string): void
  /** Takes the whole text anew, as after a lost connection. */
  replace(text: string): void
  finish(): void
  readonly text: string
  readonly done: boolean
  /** Milliseconds of this device's clock: when it began. */
  readonly since: number
  subscribe(listener: () => void): () => void
}

export function textFeed(initial = '', initiallyDone = false): TextFeed {
  const listeners = new Set<() => void>()
  const since = Date.now()
  let text = initial
  let done = initiallyDone
  const tell = () => {
    for (const listener of [...listeners]) listener()
  }
  return {
    append(more) {
      if (more) {
        text += more
        tell()
      }
    },
    replace(whole) {
      if (whole !== text) {
        text = whole
        tell()
      }
    },
    finish() {
      if (!done) {
        done = true
        tell()
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
