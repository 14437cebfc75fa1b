import * as z from 'zod/mini'
import { type Call, nothing } from '../call.ts'
import { Auth, Common, Data, Files, Http, Keeping, Log, Stats } from './server.ts'
import { Asking, Money, NewUsers, Portal } from './sharing.ts'
import { ApiSource, WebSource } from './sources.ts'
import { Time } from '../envelope.ts'
import { ModelChoice } from '../models.ts'

export const Configuration = z.object({
  openai_web: z.prefault(WebSource, {}),
  openai_api: z.prefault(ApiSource, {}),
  portal: z.prefault(Portal, {}),
  asking: z.prefault(Asking, {}),
  new_users: z.prefault(NewUsers, {}),
  money: z.prefault(Money, {}),
  common: z.prefault(Common, {}),
  http: z.prefault(Http, {}),
  data: z.prefault(Data, {}),
  files: z.prefault(Files, {}),
  keeping: z.prefault(Keeping, {}),
  auth: z.prefault(Auth, {}),
  stats: z.prefault(Stats, {}),
  log: z.prefault(Log, {}),
})
export type Configuration = z.output<typeof Configuration>
export const SECTIONS = {
  openai_web: WebSource,
  openai_api: ApiSource,
  portal: Portal,
  asking: Asking,
  new_users: NewUsers,
  money: Money,
  common: Common,
  http: Http,
  data: Data,
  files: Files,
  keeping: Keeping,
  auth: Auth,
  stats: Stats,
  log: Log,
} as const satisfies Record<keyof Configuration, z.ZodMiniObject>

/** Where the value in force comes from. */
export const Origin = z.enum(['default', 'file', 'stored', 'environment'])
export type Origin = z.infer<typeof Origin>

/** A stored setting: who changed it when, and the value in force without it. */
export const StoredSetting = z.object({
  /** Nickname; null when the account is gone. */
  changed_by: z.nullable(z.string()),
  changed_at: Time,
  fallback: z.unknown(),
  fallback_origin: z.enum(['default', 'file']),
})
export type StoredSetting = z.infer<typeof StoredSetting>

/**
 * The sections with their values, and about the settings by their paths ('http.port'): where each value comes from, who
 * stored it, and the environment variable that sets it. A secret is always blank; `_set_secrets` lists those that have
 * a value. When it is sent back, `_version` identifies what was read, and only differences from that are changes.
 */
export const ConfigurationRead = z.looseObject({
  _version: z.string(),
  _origins: z.record(z.string(), Origin),
  _set_secrets: z.array(z.string()),
  _stored: z.record(z.string(), StoredSetting),
  _variables: z.record(z.string(), z.string()),
})
export type ConfigurationRead = z.infer<typeof ConfigurationRead>

export const readConfiguration = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/config',
  summary: 'The configuration in force, without secrets.',
  result: ConfigurationRead,
} as const satisfies Call

export const updateConfiguration = {
  ...nothing,
  access: 'superuser',
  method: 'PUT',
  path: '/system/config',
  summary: 'Stores settings; keys left out keep their value, and those in _reset lose what is stored.',
  /**
   * Sections with some of their settings, or the whole object that was read. `_version`: what was read; `_reset`: paths
   * of settings that go back to the configuration file or the default. Other keys that begin with _ are ignored.
   */
  body: z.record(z.string(), z.unknown()),
  result: ConfigurationRead,
} as const satisfies Call

export const ReadModels = z.object({
  /** How many models the endpoint lists; null when there is no endpoint address and so none was asked. */
  listed: z.nullable(z.int()),
  /** The models that people may choose from now on. */
  models: z.array(ModelChoice),
})
export type ReadModels = z.infer<typeof ReadModels>

export const readModelsAgain = {
  ...nothing,
  access: 'superuser',
  method: 'POST',
  path: '/system/action/read-models',
  summary: 'Asks the endpoint for its models once more, and offers those.',
  result: ReadModels,
} as const satisfies Call
