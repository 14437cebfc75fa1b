import { AsyncLocalStorage } from 'node:async_hooks'

const MISTAKE =
  'inside a transaction, queries go through it: a query on the database itself and the transaction would wait for each other'

/**
 * SQLite has one connection, which the transaction holds until its end. Without this check, a forgotten `trx` would stop every query of the
 * program for ever.
 */
export function ownTransaction() {
  const running = new AsyncLocalStorage<{ over: boolean }>()
  return {
    requireOutside(): void {
      if (running.getStore()?.over === false) throw new Error(MISTAKE)
    },
    /** Work that the transaction starts without awaiting it may use the database once the transaction is over. */
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
