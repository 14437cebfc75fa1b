import type { Shape } from '../settings/shape.ts'

/** `onChange` gets what was entered, also when it is not valid; the schema decides. */
export type ControlProps<S extends Shape = Shape> = {
  /** The setting's path, from which the ids of its name, help and mistake are made. */
  path: string
  shape: S
  value: unknown
  invalid: boolean
  onChange(value: unknown): void
}

export const rowId = (path: string) => `row-${path}`
export const fieldId = (path: string) => `field-${path}`
export const nameId = (path: string) => `name-${path}`
export const helpId = (path: string) => `help-${path}`
export const fromId = (path: string) => `from-${path}`

/** The attributes that connect a field with its label, help and mistake. */
export function describedBy({ path, invalid }: Pick<ControlProps, 'path' | 'invalid'>) {
  return {
    id: fieldId(path),
    'aria-describedby': `${helpId(path)} ${fromId(path)}`,
    'aria-invalid': invalid || undefined,
  }
}

/** The same for a group of fields. */
export function groupedBy(path: string) {
  return {
    role: 'group',
    'aria-labelledby': nameId(path),
    'aria-describedby': `${helpId(path)} ${fromId(path)}`,
  }
}
