import { describe, expect, test } from 'vitest'
import { openUploadLimit } from './uploadLimit.ts'

/** An upload that lasts until it is ended. */
function anUpload() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  return { upload: () => promise, finish: () => resolve('done'), fail: () => reject(new Error('cut')) }
}

describe('uploads of one person', () => {
  test('are two at a time; a third is refused at once, and begins nothing', async () => {
    const limit = openUploadLimit()
    const [one, two] = [anUpload(), anUpload()]
    const running = [limit(1, one.upload), limit(1, two.upload)]
    let started = 0
    await expect(limit(1, async () => (started += 1))).rejects.toMatchObject({ key: 'tooManyRequests' })
    expect(started).toBe(0)
    one.finish()
    expect(await running[0]).toBe('done')
    expect(await limit(1, async () => 'third')).toBe('third')
    two.finish()
    await running[1]
  })
  test('leave room for those of others', async () => {
    const limit = openUploadLimit()
    const held = [anUpload(), anUpload()]
    const running = held.map(({ upload }) => limit(1, upload))
    expect(await limit(2, async () => 'theirs')).toBe('theirs')
    for (const { finish } of held) finish()
    await Promise.all(running)
  })
  test('that fail make room, too, however often', async () => {
    const limit = openUploadLimit()
    for (let time = 0; time < 10; time++)
      await expect(limit(1, () => Promise.reject(new Error('cut')))).rejects.toThrow('cut')
    const held = [anUpload(), anUpload()]
    const running = held.map(({ upload }) => limit(1, upload))
    for (const { fail } of held) fail()
    expect((await Promise.allSettled(running)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await limit(1, async () => 'after')).toBe('after')
  })
})
