/**
 * Mantine's CSS variables as a file, since the content security policy refuses the <style> element in which its
 * provider would render them. `node web/kit/mantineVariables.ts` rewrites mantineVariables.css.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core'
import { theme } from './theme.ts'

export const VARIABLES_FILE = join(import.meta.dirname, 'mantineVariables.css')

type Variables = Record<string, string>

/** Palettes that our theme does not use. */
const FOREIGN = /^--mantine-color-(pink|grape|violet|indigo|blue|cyan|lime|yellow|orange|teal)-/

/** Colours that Mantine would otherwise compute. */
const fromTokens = {
  '--mantine-color-body': 'var(--paper)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-bright': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--ink-3)',
  '--mantine-color-placeholder': 'var(--ink-3)',
  '--mantine-color-anchor': 'var(--green)',
  '--mantine-color-error': 'var(--red)',
  '--mantine-color-success': 'var(--green)',
  '--mantine-color-default': 'var(--sheet)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-border': 'var(--line-2)',
  '--mantine-color-disabled': 'var(--hover)',
  '--mantine-color-disabled-color': 'var(--ink-off)',
  '--mantine-color-disabled-border': 'transparent',
  '--mantine-primary-color-filled': 'var(--green-fill)',
  '--mantine-primary-color-filled-hover': 'var(--green-fill-2)',
  '--mantine-primary-color-light': 'var(--green-soft)',
  '--mantine-primary-color-light-hover': 'color-mix(in srgb, var(--green-line) 30%, var(--green-soft))',
  '--mantine-primary-color-light-color': 'var(--green)',
  '--mantine-primary-color-contrast': 'var(--on-fill)',
  ...Object.fromEntries(
    (['green', 'amber', 'red'] as const).flatMap(c => [
      [`--mantine-color-${c}-text`, `var(--${c})`],
      [`--mantine-color-${c}-light`, `var(--${c}-soft)`],
      [`--mantine-color-${c}-light-hover`, `color-mix(in srgb, var(--${c}-line) 30%, var(--${c}-soft))`],
      [`--mantine-color-${c}-light-color`, `var(--${c})`],
      [`--mantine-color-${c}-outline`, `var(--${c})`],
    ]),
  ),
  '--mantine-color-green-filled': 'var(--green-fill)',
  '--mantine-color-green-filled-hover': 'var(--green-fill-2)',
  '--mantine-color-red-filled': 'var(--red-fill)',
  '--mantine-color-red-filled-hover': 'var(--red-fill-2)',
  '--mantine-color-gray-light': 'var(--tint)',
  '--mantine-color-gray-light-hover': 'var(--hover)',
  '--mantine-color-gray-light-color': 'var(--ink-2)',
  '--mantine-color-gray-text': 'var(--ink-2)',
}

export function mantineVariables(): string {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme)
  const basis = defaultCssVariablesResolver(merged)
  const light: Variables = { '--mantine-color-scheme': 'light', ...basis.light, ...fromTokens }
  const dark: Variables = { '--mantine-color-scheme': 'dark', ...basis.dark, ...fromTokens }
  const always: Variables = { ...basis.variables, ...only(light, (name, value) => dark[name] === value) }
  return [
    '/* Written by mantineVariables.ts from theme.ts; not edited by hand. */',
    rule(':root', always),
    rule(
      ':root[data-mantine-color-scheme="light"]',
      only(light, name => !(name in always)),
    ),
    rule(
      ':root[data-mantine-color-scheme="dark"]',
      only(dark, name => !(name in always)),
    ),
    '',
  ].join('\n')
}

function only(variables: Variables, keeps: (name: string, value: string) => boolean): Variables {
  return Object.fromEntries(Object.entries(variables).filter(([name, value]) => keeps(name, value)))
}

function rule(selector: string, variables: Variables): string {
  const lines = Object.entries(variables)
    .filter(([name]) => !FOREIGN.test(name))
    .map(([name, value]) => `  ${name}: ${value};`)
  return `${selector} {\n${lines.join('\n')}\n}`
}

if (import.meta.main) writeFileSync(VARIABLES_FILE, mantineVariables())
