import * as z from 'zod/mini'
import type { SettingMeta } from '../settings.ts'

/** A schema as JSON schema, as far as settings use it. */
export type Described = Partial<SettingMeta> & {
  type?: string
  enum?: string[]
  anyOf?: Described[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
  pattern?: string
  allOf?: Described[]
  items?: Described
  additionalProperties?: Described
  properties?: Record<string, Described>
}

/** Describes what a schema accepts. The bounds that zod gives every integer are left out. */
export function describe(schema: z.core.$ZodType): Described {
  // zod types a JSON schema as loosely as the standard does; ours has this shape.
  return z.toJSONSchema(schema, { io: 'input' }) as Described
}
