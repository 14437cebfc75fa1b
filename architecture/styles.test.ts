import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Source, sourcesOf, visit } from './sources.ts'

const ROOT = join(import.meta.dirname, '..')

/**
 * Selectors that match any element beside or inside something. One such selector makes the browser compute the styles
 * of all neighbours again whenever an element is inserted: 20 to 50 ms in a long conversation on a slow processor.
 */
const MATCHES_ANY = /[+~]\s*(\*|:(?!is\(|where\((?!:)))|(^|[\s>+~(,])\*?:nth-/

describe('the styles of the page', () => {
  const files = globSync('web/**/*.css', { cwd: ROOT }).toSorted()

  test('name what follows something, and what is counted', () => {
    expect(files.length).toBeGreaterThan(20)
    const found = files.flatMap(file =>
      broadSelectors(readFileSync(join(ROOT, file), 'utf8')).map(selector => `${file}: ${selector}`),
    )
    expect(found, 'name an element or a class beside + or ~, and before :nth-').toEqual([])
  })

  test('are caught when they do not', () => {
    expect(
      broadSelectors('.a > * + * { margin: 0 } .a ~ :not(.b) { margin: 0 } .a > :nth-child(2), .b { margin: 0 }'),
    ).toHaveLength(3)
    expect(
      broadSelectors('/* .a + * */ .a + .b, .a > * + :is(p, div), li + li, i:nth-child(2) { margin: calc(1px + 2px) }'),
    ).toEqual([])
  })
})

/**
 * Style props of Mantine's components. With an object as their value, and so in other sizes of the window, they render
 * a <style> element.
 */
const STYLE_PROP =
  /^([mp][xytbselr]?|bd|bdrs|bg|bgsz|bgp|bgr|bga|c|opacity|ff|fz|fw|lts|ta|lh|fs|tt|td|m?[ia]?[wh]|pos|top|left|bottom|right|inset|display|flex)$/

describe('a component of the kit', () => {
  test('renders no <style> element, which the content security policy would refuse', () => {
    const sources = sourcesOf('web').filter(({ path }) => path.endsWith('.tsx'))
    expect(sources.length).toBeGreaterThan(100)
    expect(sources.flatMap(responsiveProps), 'write it into the style sheet of the component').toEqual([])
  })
  test('is caught when it would', () => {
    const text =
      "const a = <Box visibleFrom='sm' mt={{ base: 8, sm: 16 }} maw={{ base: 1 }} p='md' style={{ top: 1 }} />"
    expect(responsiveProps({ path: 'web/a.tsx', text, lines: 1 })).toEqual([
      'web/a.tsx: visibleFrom',
      'web/a.tsx: mt',
      'web/a.tsx: maw',
    ])
  })
})

function responsiveProps(source: Source): string[] {
  const found: string[] = []
  visit(source, {
    JSXAttribute({ name, value }) {
      if (name.type !== 'JSXIdentifier') return
      const isObject = value?.type === 'JSXExpressionContainer' && value.expression.type === 'ObjectExpression'
      if (/^(visibleFrom|hiddenFrom)$/.test(name.name) || (isObject && STYLE_PROP.test(name.name)))
        found.push(`${source.path}: ${name.name}`)
    },
  })
  return found
}

function broadSelectors(css: string): string[] {
  const selectors = css.replaceAll(/\/\*[\s\S]*?\*\//g, '').matchAll(/(?<=^|[{}])([^{};]+)(?=\{)/g)
  return [...selectors]
    .map(([selector]) => selector.trim())
    .filter(selector => !selector.startsWith('@') && MATCHES_ANY.test(selector))
}
