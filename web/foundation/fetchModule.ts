/** A part of the page that could not be fetched: the network is away, or the server has a newer page and this part no more. */
export class MissingModule extends Error {}

const missingStyles = new Set<HTMLLinkElement>()

// Rules are tested where there is no window.
globalThis.window?.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') missingStyles.add(target)
  },
  { capture: true },
)

/** Fetches a part when it is needed; what failed can be tried again. The build's own loader takes a style sheet for there once it was asked for. */
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
