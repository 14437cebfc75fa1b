import { expect, test } from 'vitest'
import { Uuid } from '#contract/envelope.ts'
import { newId } from './newId.ts'

test('a new id is a random UUID, each another', () => {
  const ids = Array.from({ length: 200 }, newId)
  expect(ids.every(id => Uuid.safeParse(id).success)).toBe(true)
  expect(new Set(ids).size).toBe(200)
})
