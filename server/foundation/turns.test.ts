import { expect, test } from 'vitest'
import { afterOthers } from './turns.ts'

const turn = () =>
  new Promise<void>(resolve => {
    setImmediate(resolve)
  })

test('what waits is done in the order in which it was asked for', async () => {
  const done: string[] = []
  afterOthers(() => done.push('first'))
  afterOthers(() => done.push('second'))
  expect(done).toEqual([])
  await turn()
  expect(done).toEqual(['first', 'second'])
})

test('what is asked for meanwhile has a turn of its own, so that others come in between', async () => {
  const done: string[] = []
  afterOthers(() => {
    done.push('one')
    afterOthers(() => done.push('two'))
  })
  setImmediate(() => done.push('other'))
  await turn()
  expect(done).toEqual(['one', 'other'])
  await turn()
  expect(done).toEqual(['one', 'other', 'two'])
})
