/**
 * A UUID, version 7: it begins with the time, so that the server stores new asks next to each other. Not
 * `crypto.randomUUID`, which a portal without https does not have.
 */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('')
  const time = Date.now().toString(16).padStart(12, '0')
  return (time + hex.slice(12)).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
