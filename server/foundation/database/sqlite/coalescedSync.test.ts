import { expect, test } from 'vitest'
import { coalescedSync } from './coalescedSync.ts'

/** A disk that answers when it is told to. */
function aDisk() {
  const asked: PromiseWithResolvers<void>[] = []
  const flushed = coalescedSync(() => {
    const answer = Promise.withResolvers<void>()
    asked.push(answer)
    return answer.promise
  })
  return { asked, flushed }
}

const turn = () =>
  new Promise(resolve => {
    setImmediate(resolve)
  })

test('the disk is asked once at a time, and once more for all who came meanwhile', async () => {
  const { asked, flushed } = aDisk()
  const heard: string[] = []
  for (const name of ['first', 'second', 'third']) void flushed().then(() => heard.push(name))
  expect(asked).toHaveLength(1)
  asked[0]?.resolve()
  await turn()
  expect([heard, asked.length]).toEqual([['first'], 2])
  void flushed().then(() => heard.push('last'))
  asked[1]?.resolve()
  await turn()
  expect([heard, asked.length]).toEqual([['first', 'second', 'third'], 3])
  asked[2]?.resolve()
  await turn()
  expect(heard).toEqual(['first', 'second', 'third', 'last'])
})

test('a disk that refuses is asked again for the next ones', async () => {
  const { asked, flushed } = aDisk()
  const [first, second] = [flushed(), flushed()]
  asked[0]?.reject(new Error('no room'))
  await expect(first).rejects.toThrow('no room')
  await turn()
  asked[1]?.resolve()
  await second
})
