/**
 * The page needs Chrome or Edge 114, Firefox 125 or Safari 17, of 2023 and the beginning of 2024; the last of what is
 * needed that came to them is the popover. Said to people in `app.tooOld`.
 */
export const isTooOld = (): boolean => !('popover' in HTMLElement.prototype)

/** Functions that are newer, and that the page calls. architecture/olderBrowsers.test.ts knows which are newer. */
export function fillOlderBrowsers(): void {
  fill(URL, {
    parse(url: string, base?: string): URL | null {
      try {
        return new URL(url, base)
      } catch {
        return null
      }
    },
  })
  fill(Promise, {
    withResolvers() {
      let resolvers = {}
      const promise = new Promise((resolve, reject) => (resolvers = { resolve, reject }))
      return { promise, ...resolvers }
    },
  })
  fill(AbortSignal, {
    any(signals: readonly AbortSignal[]): AbortSignal {
      const first = new AbortController()
      for (const signal of signals) {
        const abort = () => first.abort(signal.reason)
        if (signal.aborted) abort()
        else signal.addEventListener('abort', abort, { signal: first.signal })
      }
      return first.signal
    },
  })
  fill(Object, {
    groupBy<Item>(items: Iterable<Item>, nameOf: (item: Item) => string): Record<string, Item[]> {
      const groups: Record<string, Item[]> = {}
      for (const item of items) (groups[nameOf(item)] ??= []).push(item)
      return groups
    },
  })
}

function fill(holder: object, functions: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(functions)) {
    if (!(name in holder)) Object.defineProperty(holder, name, { value, configurable: true, writable: true })
  }
}
