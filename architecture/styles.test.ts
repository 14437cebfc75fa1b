import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

/**
 * Selectors that match any element beside or inside something. One such selector makes the browser compute the styles of all neighbours
 * again whenever an element is inserted: 20 to 50 ms in a long conversation on a slow processor.
 */
const ENDS_OPENLY = /[+~]\s*(\*|:(?!is\(|where\((?!:)))|(^|[\s>+~(,])\*?:nth-/

describe('the styles of the page', () => {
  const files = globSync('web/**/*.css', { cwd: ROOT }).toSorted()

  test('name what follows something, and what is counted', () => {
    expect(files.length).toBeGreaterThan(20)
    const found = files.flatMap(file =>
      openEnds(readFileSync(join(ROOT, file), 'utf8')).map(selector => `${file}: ${selector}`),
    )
    expect(found).toEqual([])
  })

  test('are caught when they do not', () => {
    expect(
      openEnds('.a > * + * { margin: 0 } .a ~ :not(.b) { margin: 0 } .a > :nth-child(2), .b { margin: 0 }'),
    ).toHaveLength(3)
    expect(
      openEnds('/* .a + * */ .a + .b, .a > * + :is(p, div), li + li, i:nth-child(2) { margin: calc(1px + 2px) }'),
    ).toEqual([])
  })
})

function openEnds(css: string): string[] {
  const selectors = css.replaceAll(/\/\*[\s\S]*?\*\//g, '').matchAll(/(?<=^|[{}])([^{};]+)(?=\{)/g)
  return [...selectors]
    .map(([selector]) => selector.trim())
    .filter(selector => !selector.startsWith('@') && ENDS_OPENLY.test(selector))
}
