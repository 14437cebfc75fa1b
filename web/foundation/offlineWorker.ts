/** Milliseconds after which the worker is registered, so as not to compete with the loading of the page. */
const DELAY = 4000
const ADDRESS = '/worker.js'

/** Missing in TypeScript's DOM library. */
type TrustedTypes = {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string | null },
  ): { createScriptURL(address: string): string }
}

/** Registers the service worker that shows our own offline page in place of the browser's error. */
export function keepOfflinePage(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  setTimeout(() => {
    // When it fails, the browser's own offline page remains.
    navigator.serviceWorker.register(trusted(), { updateViaCache: 'none' }).catch(() => null)
  }, DELAY)
}

/** Trusted Types require a policy for script addresses; this is the only one. */
function trusted(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  return (
    trustedTypes
      ?.createPolicy('offline', { createScriptURL: address => (address === ADDRESS ? address : null) })
      .createScriptURL(ADDRESS) ?? ADDRESS
  )
}
