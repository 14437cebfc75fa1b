import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { digestOf, sha256Of } from './sha256.ts'

describe('the digest of a file', () => {
  test.each([0, 1, 55, 56, 63, 64, 65, 119, 120, 1_000])(
    'of %d bytes is the same without crypto.subtle',
    async length => {
      const bytes = Uint8Array.from({ length }, (_, at) => at * 7)
      const digest = createHash('sha256').update(bytes).digest('hex')
      expect(Buffer.from(digestOf(bytes)).toString('hex')).toBe(digest)
      expect(await sha256Of(bytes)).toBe(digest)
    },
  )
})
