import { describe, expect, test } from 'vitest'
import { aWordFile, chance, mutated, paragraph } from '../files.testing.ts'
import { Unreadable } from '../unreadable.ts'
import { packedTexts } from './documents.testing.ts'
import { aCompoundFile, behindPassword } from './officePassword.testing.ts'
import { withoutPassword } from './officePassword.ts'

const ignore = () => undefined
/** Of more than one segment: text that hardly packs. */
const random = chance(7)
const LONG = Array.from({ length: 4_000 }, () => Math.floor(random() * 1e9).toString(36)).join(' ')

describe('an Office file behind a password', () => {
  test.each([
    ['short', 'short'],
    ['long', LONG],
  ])('is read with it: a %s one', async (_, text) => {
    const file = await behindPassword(aWordFile(paragraph(text)), '密码 1')
    expect(await packedTexts(await withoutPassword(file, '密码 1', ignore))).toEqual([`${text}\n`])
  })
  test('asks for it, and says when it is another', async () => {
    const file = await behindPassword(aWordFile(paragraph('x')), 'right')
    await expect(withoutPassword(file, null, ignore)).rejects.toMatchObject({ reason: 'needsPassword' })
    await expect(withoutPassword(file, 'wrong', ignore)).rejects.toMatchObject({ reason: 'wrongPassword' })
  })
  test('of another form of encryption is refused', async () => {
    const info = Buffer.from([3, 0, 2, 0, 0, 0, 0, 0, 0])
    const file = aCompoundFile({ EncryptionInfo: info, EncryptedPackage: Buffer.alloc(5_000) })
    await expect(withoutPassword(file, 'x', ignore)).rejects.toMatchObject({ reason: 'encrypted' })
  })
  test('is told from a file of the old Office', async () => {
    const file = aCompoundFile({ WordDocument: Buffer.alloc(5_000) })
    await expect(withoutPassword(file, 'x', ignore)).rejects.toMatchObject({ reason: 'oldOffice' })
  })
  test('that is damaged ends, mostly in words', async () => {
    const bytes = new Uint8Array(await (await behindPassword(aWordFile(paragraph('x')), 'p', 10)).arrayBuffer())
    let refused = 0
    for (let at = 0; at < 100; at++) {
      const opened = await withoutPassword(new Blob([mutated(bytes, random)]), 'p', ignore).catch(
        (error: unknown) => error,
      )
      refused += opened instanceof Unreadable ? 1 : 0
    }
    expect(refused).toBeGreaterThan(20)
  })
})
