import { expect, test } from 'vitest'
import { afterOthers, atEndOfTurn } from './turns.ts'

const turn = () => new Promise<void>(resolve => { setImmediate(resolve) })

test('what is small comes before what is long, each in the order in which it was asked for', async () => {
  const done: string[] = []
  afterOthers(() => done.push('long'))
  atEndOfTurn(() => done.push('first'))
  afterOthers(() => done.push('longer'))
  atEndOfTurn(() => done.push('second'))
  expect(done).toEqual([])
  await turn()
  expect(done).toEqual(['first', 'second', 'long', 'longer'])
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
