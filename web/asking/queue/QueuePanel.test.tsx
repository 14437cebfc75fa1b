import { expect, test } from 'vitest'
import { roundedEstimate } from './QueuePanel.tsx'

test('an estimate is rounded up to 10 s below two minutes and to minutes above', () => {
  expect([1, 40, 41, 119, 121, 400].map(roundedEstimate)).toEqual([10, 40, 50, 120, 180, 420])
})

test('a missing estimate is not shown', () => {
  expect([null, 0].map(roundedEstimate)).toEqual([null, null])
})
