/** The digest of a file, in hexadecimal. A portal without https has no `crypto.subtle`, so that we count ourselves. */
export async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const subtle: SubtleCrypto | undefined = globalThis.crypto.subtle
  const digest = subtle === undefined ? digestOf(bytes) : new Uint8Array(await subtle.digest('SHA-256', bytes))
  return [...digest].map(byte => byte.toString(16).padStart(2, '0')).join('')
}

/** The fractional bits of roots of the first primes (FIPS 180-4, 4.2.2 and 5.3.3). */
function fractions(count: number, root: (prime: number) => number): Int32Array {
  const bits = new Int32Array(count)
  for (let candidate = 2, found = 0; found < count; candidate++) {
    let isPrime = true
    for (let divisor = 2; divisor * divisor <= candidate; divisor++) isPrime &&= candidate % divisor !== 0
    if (isPrime) bits[found++] = (root(candidate) % 1) * 2 ** 32
  }
  return bits
}

const ROUND = 64

/** SHA-256 (FIPS 180-4, 6.2). */
export function digestOf(bytes: Uint8Array): Uint8Array {
  const factors = fractions(ROUND, Math.cbrt)
  const state = fractions(8, Math.sqrt)
  const words = new Int32Array(ROUND)
  // The whole blocks stay where they are; the tail, its end mark and its length fill one or two more.
  const whole = bytes.length - (bytes.length % ROUND)
  const tail = new Uint8Array(bytes.length - whole < 56 ? ROUND : 2 * ROUND)
  tail.set(bytes.subarray(whole))
  tail[bytes.length - whole] = 0x80
  new DataView(tail.buffer).setBigUint64(tail.length - 8, BigInt(bytes.length) * 8n)
  for (const part of [bytes.subarray(0, whole), tail]) {
    const view = new DataView(part.buffer, part.byteOffset, part.byteLength)
    for (let at = 0; at < part.length; at += ROUND)
      addBlock(state, words, factors, index => view.getInt32(at + 4 * index))
  }
  const digest = new Uint8Array(32)
  for (const [index, word] of state.entries()) new DataView(digest.buffer).setInt32(4 * index, word)
  return digest
}

const rotated = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits))

function addBlock(state: Int32Array, words: Int32Array, factors: Int32Array, wordAt: (index: number) => number): void {
  const at = (index: number) => words[index] ?? 0
  for (let index = 0; index < ROUND; index++) {
    const [two, fifteen] = [at(index - 2), at(index - 15)]
    words[index] =
      index < 16
        ? wordAt(index)
        : at(index - 16) +
          (rotated(fifteen, 7) ^ rotated(fifteen, 18) ^ (fifteen >>> 3)) +
          at(index - 7) +
          (rotated(two, 17) ^ rotated(two, 19) ^ (two >>> 10))
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let index = 0; index < ROUND; index++) {
    const first =
      h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & f) ^ (~e & g)) + (factors[index] ?? 0) + at(index)
    const second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0]
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index] = (state[index] ?? 0) + word
}
