/** A whole address of an endpoint, as the server takes it. */
export function isAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === ''
}

/** Whether a key that is stored for one address stays with another. */
export function sameHost(before: string | null, now: string): boolean {
  return before !== null && URL.parse(before)?.origin === URL.parse(now.trim())?.origin
}
