/**
 * The kit's CSS variables, made once and served as a file: the content security policy allows no <style> element,
 * which is how the provider would bring them. `node web/kit/mantineVariables.ts` writes mantineVariables.css anew.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core'
import { resolver, theme } from './theme.ts'

export const VARIABLES_FILE = join(import.meta.dirname, 'mantineVariables.css')

type Variables = Record<string, string>

/** Palettes that our theme does not have; no component is given one of them. */
const FOREIGN = /^--mantine-color-(pink|grape|violet|indigo|blue|cyan|lime|yellow|orange|teal)-/

export function mantineVariables(): string {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme)
  const own = resolver(merged)
  const basis = defaultCssVariablesResolver(merged)
  const light: Variables = { '--mantine-color-scheme': 'light', ...basis.light, ...own.light }
  const dark: Variables = { '--mantine-color-scheme': 'dark', ...basis.dark, ...own.dark }
  const always: Variables = { ...basis.variables, ...own.variables, ...only(light, (name, value) => dark[name] === value) }
  return [
    '/* Written by mantineVariables.ts from theme.ts; not edited by hand. */',
    rule(':root', always),
    rule(':root[data-mantine-color-scheme="light"]', only(light, name => !(name in always))),
    rule(':root[data-mantine-color-scheme="dark"]', only(dark, name => !(name in always))),
    '',
  ].join('\n')
}

function only(variables: Variables, keeps: (name: string, value: string) => boolean): Variables {
  return Object.fromEntries(Object.entries(variables).filter(([name, value]) => keeps(name, value)))
}

function rule(selector: string, variables: Variables): string {
  const lines = Object.entries(variables).filter(([name]) => !FOREIGN.test(name)).map(([name, value]) => `  ${name}: ${value};`)
  return `${selector} {\n${lines.join('\n')}\n}`
}

if (import.meta.main) writeFileSync(VARIABLES_FILE, mantineVariables())
