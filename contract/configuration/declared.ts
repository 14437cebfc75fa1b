import * as z from 'zod/mini'
import { type Configuration, SECTIONS } from './configuration.ts'
import type { SettingMeta } from '../settings.ts'

/** Every setting as contract/configuration/ declares it, for the server, the page and the documentation. */

export type Section = keyof Configuration

export type DeclaredSetting = SettingMeta & {
  /** 'http.port' */
  path: string
  section: Section
  key: string
  /** Without its default. */
  schema: z.core.$ZodType
  fallback: unknown
}

export const DECLARED_SETTINGS: readonly DeclaredSetting[] = Object.entries(SECTIONS).flatMap(([section, { shape }]) =>
  // the keys of a literal object are its type's
  Object.entries(shape).map(([key, schema]) => declared(section as Section, key, schema)),
)

function declared(section: Section, key: string, schema: z.core.$ZodType): DeclaredSetting {
  if (!(schema instanceof z.ZodMiniDefault)) throw new Error(`${section}.${key} is not declared by setting()`)
  const { innerType, defaultValue } = schema._zod.def
  return {
    // setting() has registered it; nothing else does.
    ...(z.globalRegistry.get(innerType) as SettingMeta),
    path: `${section}.${key}`,
    section,
    key,
    schema: innerType,
    fallback: defaultValue,
  }
}

/** The environment variables that set it: the derived name, then the short one. */
export function variableNames({ section, key, environment }: DeclaredSetting): string[] {
  return [`COMMONS_${section}_${key}`.toUpperCase(), ...(environment === undefined ? [] : [environment])]
}

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
