import { expect, test } from 'vitest'
import { coalescedSync } from './groupCommit.ts'

/** A disk that answers when it is told to. */
function aDisk() {
  const syncs: PromiseWithResolvers<void>[] = []
  const synced = coalescedSync(() => {
    const answer = Promise.withResolvers<void>()
    syncs.push(answer)
    return answer.promise
  })
  return { syncs, synced }
}

const turn = () =>
  new Promise(resolve => {
    setImmediate(resolve)
  })

test('the disk is syncs once at a time, and once more for all who came meanwhile', async () => {
  const { syncs, synced } = aDisk()
  const resolved: string[] = []
  for (const name of ['first', 'second', 'third']) void synced().then(() => resolved.push(name))
  expect(syncs).toHaveLength(1)
  syncs[0]?.resolve()
  await turn()
  expect([resolved, syncs.length]).toEqual([['first'], 2])
  void synced().then(() => resolved.push('last'))
  syncs[1]?.resolve()
  await turn()
  expect([resolved, syncs.length]).toEqual([['first', 'second', 'third'], 3])
  syncs[2]?.resolve()
  await turn()
  expect(resolved).toEqual(['first', 'second', 'third', 'last'])
})

test('a disk that refuses is syncs again for the next ones', async () => {
  const { syncs, synced } = aDisk()
  const [first, second] = [synced(), synced()]
  syncs[0]?.reject(new Error('no room'))
  await expect(first).rejects.toThrow('no room')
  await turn()
  syncs[1]?.resolve()
  await second
})
