/** A chunk of the page could not be fetched: no network, or the server has a newer page without it. */
export class MissingModule extends Error {}

/** Loads a chunk; what failed can be retried. */
export async function fetchModule<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    throw new MissingModule('', { cause })
  }
}
