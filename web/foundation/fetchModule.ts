/** A chunk of the page could not be fetched: no network, or the server has a newer page without it. */
export class MissingModule extends Error {}

const missingStyles = new Set<HTMLLinkElement>()

// Tests of pure functions import this without a window.
globalThis.window?.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') missingStyles.add(target)
  },
  { capture: true },
)

/** Loads a chunk; what failed can be retried. Style sheets that failed are fetched again here, since the loader of the build requests each only once. */
export async function fetchModule<T>(load: () => Promise<T>): Promise<T> {
  try {
    await Promise.all([...missingStyles].map(fetchAgain))
    return await load()
  } catch (cause) {
    throw new MissingModule('', { cause })
  }
}

function fetchAgain(link: HTMLLinkElement): Promise<void> {
  const again = link.cloneNode()
  missingStyles.delete(link)
  return new Promise((resolve, reject) => {
    again.addEventListener('load', () => resolve())
    again.addEventListener('error', reject)
    link.replaceWith(again)
  })
}
