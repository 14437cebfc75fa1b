/** Milliseconds. The first seconds belong to whoever has come to ask something. */
const AFTER_MS = 4000
const ADDRESS = '/worker.js'

/** What TypeScript's own library does not know yet. */
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
    navigator.serviceWorker.register(trusted(), { updateViaCache: 'none' }).catch(() => null) // then the browser says it
  }, AFTER_MS)
}

/** Trusted Types require script URLs to be vouched for; there is only this one. */
function trusted(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  return (
    trustedTypes
      ?.createPolicy('offline', { createScriptURL: address => (address === ADDRESS ? address : null) })
      .createScriptURL(ADDRESS) ?? ADDRESS
  )
}
