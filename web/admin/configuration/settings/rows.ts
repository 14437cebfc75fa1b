import {
  DECLARED_SETTINGS,
  type DeclaredSetting,
  type Section,
  variableNames,
} from '#contract/configuration/declared.ts'
import { Credentials } from '#contract/configuration/credentials.ts'
import type * as z from 'zod/mini'
import { type Shape, shapeOf } from './shape.ts'

/** One row of the form: a setting, or a credential, which is kept apart from the settings and never read. */
export type Row = {
  /** 'http.port' or 'credentials.openai_api_key' */
  path: string
  key: string
  shape: Shape
  schema: z.core.$ZodType
  /** The default. */
  fallback: unknown
  restart: boolean
  startOnly: boolean
  secret: boolean
  /** The environment variable that sets it. */
  variable: string
}
export type RowSection = { section: Section; rows: readonly Row[] }

export const CREDENTIAL = 'credentials.'
export const isCredential = ({ path }: Pick<Row, 'path'>) => path.startsWith(CREDENTIAL)

/** What the form shows, in the order of the contract. */
export const ROW_SECTIONS: readonly RowSection[] = Object.entries(
  Object.groupBy(DECLARED_SETTINGS, ({ section }) => section),
).map(([name, settings]) => {
  const section = name as Section // the groups are named by the sections of their settings
  return { section, rows: withCredentials(section, settings.map(rowOf)) }
})

export const ROWS: readonly Row[] = ROW_SECTIONS.flatMap(({ rows }) => rows)

function rowOf(setting: DeclaredSetting): Row {
  return {
    path: setting.path,
    key: setting.key,
    shape: shapeOf(setting),
    schema: setting.schema,
    fallback: setting.fallback,
    restart: setting.restart === true,
    startOnly: setting.startOnly === true,
    secret: setting.secret === true,
    variable: variableNames(setting)[0] ?? '',
  }
}

/** A credential belongs to the source that its name begins with, and stands behind the address it is for. */
function withCredentials(section: Section, rows: readonly Row[]): Row[] {
  const own = Object.entries(Credentials.shape)
    .filter(([name]) => name.startsWith(section))
    .map(([name, schema]): Row => ({
      path: `${CREDENTIAL}${name}`,
      key: name,
      shape: shapeOf({ schema }),
      schema,
      fallback: null,
      restart: false,
      startOnly: false,
      secret: true,
      variable: `COMMONS_CREDENTIALS_${name.toUpperCase()}`,
    }))
  const at = rows.findIndex(({ key }) => key.endsWith('base_url'))
  return own.length === 0 ? [...rows] : rows.toSpliced(at + 1, 0, ...own)
}
