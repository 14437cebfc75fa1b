import * as z from 'zod/mini'
import { readWebToken, type WebTokenProblem } from '#contract/webToken.ts'
import type { SlotValue } from '#web/i18n/dictionary.ts'
import { type Edited, shownValue } from './form.ts'
import { isCredential, type Row, ROWS } from './rows.ts'
import { mayBeUnlimited, type Shape } from './shape.ts'

/** Why a value cannot be used: a text with its values, and the entry or part of a list that is wrong. */
export type Mistake = { key: MistakeKey; values: Record<string, SlotValue>; at: readonly (string | number)[] }
type MistakeKey =
  | `webToken.wrong.${WebTokenProblem}`
  | `settings.wrong.${
      | 'between'
      | 'atLeast'
      | 'longest'
      | 'needed'
      | 'address'
      | 'time'
      | 'code'
      | 'token'
      | 'most'
      | 'twice'
      | 'value'}`

/** The mistakes among the changed values, by path; found with the schemas by which the server decides. */
export function mistakesIn(form: Edited): Map<string, Mistake> {
  const rows = ROWS.filter(({ path }) => form.isChanged(path))
  return new Map(
    rows.flatMap(row => {
      const mistake = mistakeIn(row, shownValue(form, row))
      return mistake === null ? [] : [[row.path, mistake] as const]
    }),
  )
}

export function mistakeIn(row: Row, value: unknown): Mistake | null {
  const { success, error } = z.safeParse(row.schema, value)
  if (success) return null
  const [issue] = error.issues
  const at = (issue?.path ?? []).filter(step => typeof step !== 'symbol')
  if (isCredential(row)) return { key: credentialMistake(row, value), values: {}, at: [] }
  return { ...(issue?.code === 'invalid_key' ? plain('code') : reason(row.shape, value, at)), at }
}

function credentialMistake({ key }: Row, value: unknown): MistakeKey {
  const read = key === 'openai_web_access_token' && typeof value === 'string' ? readWebToken(value) : null
  return read !== null && 'problem' in read ? `webToken.wrong.${read.problem}` : 'settings.wrong.token'
}

/** The reason of a mistake: what the wrong part may be. */
function reason(shape: Shape, value: unknown, path: readonly (string | number)[]): Omit<Mistake, 'at'> {
  const [step, ...rest] = path
  if (shape.kind === 'list') {
    if (step !== undefined) return reason(shape.item, partOf(value, step), rest)
    return shape.most === null ? plain('value') : { key: 'settings.wrong.most', values: { count: shape.most } }
  }
  if (shape.kind === 'mapping') {
    // A code that occurs twice: the control passes on its rows as a list.
    if (Array.isArray(value)) return plain('twice')
    return step === undefined ? plain('value') : reason(shape.value, partOf(value, step), rest)
  }
  if (shape.kind === 'group') {
    const field = shape.fields.find(({ name }) => name === step)
    return field === undefined ? plain('value') : reason(field.shape, partOf(value, step ?? ''), rest)
  }
  return scalarReason(shape, value)
}

function scalarReason(shape: Shape, value: unknown): Omit<Mistake, 'at'> {
  if (shape.kind === 'integer') {
    const low = mayBeUnlimited(shape) ? 0 : shape.low
    return shape.high === null
      ? { key: 'settings.wrong.atLeast', values: { low } }
      : { key: 'settings.wrong.between', values: { low, high: shape.high } }
  }
  if (value === undefined || value === null || value === '') return plain('needed')
  if (shape.kind !== 'text') return plain('value')
  if (shape.longest !== null && typeof value === 'string' && value.length > shape.longest)
    return { key: 'settings.wrong.longest', values: { count: shape.longest } }
  return plain(shape.format ?? 'value')
}

const plain = (name: 'needed' | 'address' | 'time' | 'code' | 'twice' | 'value'): Omit<Mistake, 'at'> => ({
  key: `settings.wrong.${name}`,
  values: {},
})

function partOf(value: unknown, step: string | number): unknown {
  // of an object or a list
  return typeof value === 'object' && value !== null ? (value as Record<string | number, unknown>)[step] : undefined
}
