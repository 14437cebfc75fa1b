import { AsyncLocalStorage } from 'node:async_hooks'

const MISTAKE =
  'inside a transaction, queries go through it: on the database itself reads miss what it wrote, and writes and it wait for each other'

/**
 * On SQLite there is one connection that writes, which the transaction holds until its end. Without this, a forgotten `trx` would
 * read what was before the transaction, or stop every write of the program for ever.
 */
export function ownTransaction() {
  const running = new AsyncLocalStorage<{ over: boolean }>()
  return {
    requireOutside(): void {
      if (running.getStore()?.over === false) throw new Error(MISTAKE)
    },
    /** What is started inside but not awaited may use the database once the transaction is over. */
    async inside<T>(work: (isOver: () => boolean) => Promise<T>): Promise<T> {
      const state = { over: false }
      try {
        return await running.run(state, () => work(() => state.over))
      } finally {
        state.over = true
      }
    },
  }
}
