import type { BrowserContext, CDPSession, Page } from '@playwright/test'

/** What a test leaves behind at an origin; all but the cache of what was fetched and compiled. */
const LEFT_BEHIND = 'local_storage,indexeddb,service_workers,cache_storage'
/** Anything of the portal that runs no script. */
const QUIET = '/icons/icon-192.png'

export type KeptContext = {
  /** The context of the test before, where it was made for the same options (`key`). */
  take(key: string, make: () => Promise<BrowserContext>): Promise<BrowserContext>
  /** Leaves nothing of a test in it. */
  putBack(): Promise<void>
  close(): Promise<void>
}

/**
 * A browser context that goes from test to test, with a page that keeps the process of the portal's pages alive: a page
 * that finds the scripts of the portal compiled costs half of what it costs in a new context.
 */
export function keptContext(): KeptContext {
  let kept: { key: string; context: BrowserContext; keeper: Page; devTools: CDPSession } | null = null
  const close = async () => {
    await kept?.context.close()
    kept = null
  }
  return {
    close,
    async take(key, make) {
      if (kept?.key === key) return kept.context
      await close()
      const context = await make()
      const keeper = await context.newPage()
      await keeper.goto(QUIET)
      kept = { key, context, keeper, devTools: await context.newCDPSession(keeper) }
      return context
    },
    async putBack() {
      if (kept === null) return
      const { context, keeper, devTools } = kept
      for (const page of context.pages()) if (page !== keeper) await page.close()
      await context.unrouteAll({ behavior: 'ignoreErrors' })
      await context.setOffline(false)
      await context.clearPermissions()
      await context.clearCookies()
      await devTools.send('Storage.clearDataForOrigin', {
        origin: new URL(keeper.url()).origin,
        storageTypes: LEFT_BEHIND,
      })
    },
  }
}
