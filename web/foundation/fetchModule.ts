/** A chunk of the page could not be fetched: no network, or the server has a newer page without it. */
export class MissingModule extends Error {}

/** Loads a chunk. After a failure it can be called again. */
export async function fetchModule<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    throw new MissingModule('', { cause })
  }
}
