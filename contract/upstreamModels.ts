import * as z from 'zod/mini'
import { storable } from './envelope.ts'
import { ContextLength, ModelCapabilities, ModelCode, RequestFields, ThinkingFields } from './models.ts'

const Name = z.string().check(z.minLength(1), z.maxLength(200), storable)

/** A model as an upstream has it, by the code under which people choose it. The same code may be served by several. */
export const UpstreamModel = z.object({
  code: ModelCode,
  name: Name,
  label: z.nullable(z.string().check(z.minLength(1), z.maxLength(80), storable)),
  context_length: z.nullable(ContextLength),
})

/** What an administrator sets of a model, whether or not the models are picked. */
export const ModelSettings = z.object({
  code: ModelCode,
  name: Name,
  /** In place of what the upstream says; null: as it says. */
  set: ModelCapabilities,
  request_fields: z.nullable(RequestFields),
  /** What tells it how hard to think, by level; a level that is not named is sent as `reasoning_effort`. */
  thinking_fields: z.optional(z.nullable(ThinkingFields)),
})
export type ModelSettings = z.infer<typeof ModelSettings>

/** The same as it is shown. */
export const ModelSettingsRead = z.object({
  code: z.string(),
  name: z.string(),
  read: ModelCapabilities,
  set: ModelCapabilities,
  request_fields: z.nullable(z.record(z.string(), z.unknown())),
  thinking_fields: z.nullable(z.record(z.string(), z.record(z.string(), z.unknown()))),
  /** Tokens, as it said when it refused a question that was too long. */
  learned_context_length: z.nullable(z.int()),
})
