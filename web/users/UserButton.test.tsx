import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { Avatar } from './UserButton.tsx'

test.each([
  ['lin', 'L'],
  ['  林小雨 ', '林'],
  ['3rd floor', '3'],
  ['q-1', 'Q'],
  ['Émile', 'É'],
  ['e\u0301mile', 'E\u0301'],
  ['Ｌin', 'Ｌ'],
  ['👩‍🚀 Sally', '👩‍🚀'],
  ['a\u200db', 'A\u200d'],
  ['  ', '?'],
])('the face of “%s” is its first letter or emoji, with all its marks: %s', async (nickname, initial) => {
  const { container } = await render(<Avatar nickname={nickname} />)
  expect(container.textContent).toBe(initial)
})
