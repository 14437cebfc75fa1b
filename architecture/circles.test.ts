import { describe, expect, test } from 'vitest'
import { importCircles } from './circles.ts'
import { sourcesOf } from './sources.ts'

/** All that the product is made of, but for rooms of the page that still have a circle. */
const FOLDERS = ['contract', 'server', 'web', 'testing']
const NOT_YET = ['web/messages/markdown/', 'web/conversations/']

describe('files of the product', () => {
  test('never import each other, not even a type', () => {
    const sources = sourcesOf(...FOLDERS).filter(({ path }) => !NOT_YET.some(folder => path.startsWith(folder)))
    expect(importCircles(sources)).toEqual([])
  })
})

describe('a circle of imports', () => {
  const file = (path: string, ...imported: string[]) => {
    const text = imported.map(each => `import type { A } from './${each}'`).join('\n')
    return { path: `server/${path}`, text, lines: 1 }
  }

  test('is found over any number of files', () => {
    const ring = [file('a.ts', 'b.ts'), file('b.ts', 'c.ts'), file('c.ts', 'a.ts'), file('d.ts', 'a.ts')]
    expect(importCircles(ring)).toEqual([['server/a.ts', 'server/b.ts', 'server/c.ts']])
  })
  test('is none where two ways lead to one file', () => {
    expect(
      importCircles([file('a.ts', 'b.ts', 'c.ts'), file('b.ts', 'd.ts'), file('c.ts', 'd.ts'), file('d.ts')]),
    ).toEqual([])
  })
})
