/** A file of the page itself, by the address that the build gave it. Null where it is not there. */
export async function fetchAsset(address: string): Promise<ArrayBuffer | null> {
  const response = await fetch(address)
  return response.ok ? response.arrayBuffer() : null
}
