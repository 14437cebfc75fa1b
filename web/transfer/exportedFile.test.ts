import { describe, expect, test } from 'vitest'
import { fileNameOf } from './exportedFile.ts'

describe('a file name', () => {
  test.each([
    ['热水器换热泵', '热水器换热泵.md'],
    ['a/b\\c:d*e?f"g<h>i|j', 'a b c d e f g h i j.md'],
    ['../../etc/passwd', 'etc passwd.md'],
    ['...', 'conversation.md'],
    ['  ', 'conversation.md'],
    ['CON', 'conversation.md'],
    ['nul.txt', 'conversation.md'],
    ['console', 'console.md'],
    ['two\nlines\0', 'twolines.md'],
    ['exe.\u202Egnp', 'exe.gnp.md'],
    ['😀'.repeat(100), `${'😀'.repeat(60)}.md`],
  ])('of %j is %j', (title, name) => {
    expect(fileNameOf(title, 'conversation', 'md')).toBe(name)
  })
})
