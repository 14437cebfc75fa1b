import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { mantineVariables, VARIABLES_FILE } from './mantineVariables.ts'

test('mantineVariables.css is up to date with theme.ts', () => {
  expect(readFileSync(VARIABLES_FILE, 'utf8')).toBe(mantineVariables())
})

test('the colours of the kit are those of the tokens, whatever the theme', () => {
  const css = mantineVariables()
  expect(css).toContain('--mantine-color-body: var(--paper);')
  expect(css).toContain('--mantine-primary-color-filled: var(--green-fill);')
  expect(css).not.toContain('--mantine-color-blue-')
})
