import { describe, expect, test } from 'vitest'
import type { Turn } from '#web/messages/turn.ts'
import { blocksOf } from './turnBlocks.ts'

const all = Array.from({ length: 100 }, (_, at): Turn => ({ key: String(at), question: null, replies: [] }))
const keysIn = (shown: readonly Turn[]) =>
  blocksOf(all, shown).map(({ at, turns }) => [at, turns[0]?.key, turns.at(-1)?.key])

describe('the blocks of a conversation', () => {
  test('hold all that is shown, in its order', () => {
    expect(blocksOf(all, all).flatMap(({ turns }) => turns)).toEqual(all)
    expect(blocksOf(all, [])).toEqual([])
  })

  test('stay as they are when more is put before them', () => {
    expect(keysIn(all.slice(70))).toEqual([
      [2, '70', '95'],
      [3, '96', '99'],
    ])
    expect(keysIn(all.slice(60))).toEqual([
      [1, '60', '63'],
      [2, '64', '95'],
      [3, '96', '99'],
    ])
  })

  test('go over what is missing between', () => {
    expect(keysIn([...all.slice(2, 4), ...all.slice(30, 34)])).toEqual([
      [0, '2', '31'],
      [1, '32', '33'],
    ])
  })
})
