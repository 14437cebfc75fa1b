import { describe, expect, test } from 'vitest'
import { importCircles } from './circles.ts'
import { sourcesOf } from './sources.ts'

describe('files of the product', () => {
  test('never import each other, not even a type', () => {
    expect(
      importCircles(sourcesOf('contract', 'server', 'web', 'simulator', 'testing')),
      'move what both need to a third file',
    ).toEqual([])
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
