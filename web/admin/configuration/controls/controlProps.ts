import type { Shape } from '../shape.ts'

/** `onChange` gets what was entered, also when it is not valid; the schema decides. */
export type ControlProps<S extends Shape = Shape> = {
  /** Of the setting; ids of its name, help and mistake are made of it. */
  path: string
  shape: S
  value: unknown
  invalid: boolean
  onChange(value: unknown): void
}

export const fieldId = (path: string) => `field-${path}`
export const nameId = (path: string) => `name-${path}`
export const helpId = (path: string) => `help-${path}`
export const fromId = (path: string) => `from-${path}`

/** Ties a field to the label beside it, its help, and what stands under it. */
export function describedBy({ path, invalid }: Pick<ControlProps, 'path' | 'invalid'>) {
  return {
    id: fieldId(path),
    'aria-describedby': `${helpId(path)} ${fromId(path)}`,
    'aria-invalid': invalid || undefined,
  }
}

/** The same for what has several fields. */
export function groupedBy(path: string) {
  return {
    role: 'group',
    'aria-labelledby': nameId(path),
    'aria-describedby': `${helpId(path)} ${fromId(path)}`,
  }
}
