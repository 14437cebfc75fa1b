import * as z from 'zod/mini'

export const SOURCES = ['openai_web', 'openai_api'] as const
export const Source = z.enum(SOURCES)
export type Source = z.infer<typeof Source>

/** The specification, section 3, "Model codes". */
export const MODEL_CODES = {
  openai_web: [
    'gpt_3_5',
    'gpt_3_5_mobile',
    'gpt_4',
    'gpt_4_mobile',
    'gpt_4_browsing',
    'gpt_4_code_interpreter',
    'gpt_4_plugins',
    'gpt_4_dalle',
  ],
  openai_api: ['gpt_3_5', 'gpt_4'],
} as const satisfies Record<Source, readonly string[]>

/** A code of the specification; those have names in every language. */
export type KnownModelCode = (typeof MODEL_CODES)[Source][number]

/** Any code: the specification's, or one that an administrator added. */
export const ModelCode = z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9_.:/-]{0,63}$/))

export const DEFAULT_MODEL_CODE_MAPPING = {
  openai_web: {
    gpt_3_5: 'text-davinci-002-render-sha',
    gpt_3_5_mobile: 'text-davinci-002-render-sha-mobile',
    gpt_4: 'gpt-4',
    gpt_4_mobile: 'gpt-4-mobile',
    gpt_4_browsing: 'gpt-4-browsing',
    gpt_4_code_interpreter: 'gpt-4-code-interpreter',
    gpt_4_plugins: 'gpt-4-plugins',
    gpt_4_dalle: 'gpt-4-dalle',
  },
  openai_api: { gpt_3_5: 'gpt-3.5-turbo', gpt_4: 'gpt-4' },
} as const satisfies { [S in Source]: Record<(typeof MODEL_CODES)[S][number], string> }

/** The one model of openai_web that may use plugins (the specification, section 4). */
export const PLUGIN_MODEL = 'gpt_4_plugins'

/** Whether it is one of the models that a web account has with a paid subscription alone. */
export const isGpt4 = (code: string): boolean => /^gpt_4(?:_|$)/.test(code)

/** Tokens. */
export const CONTEXT = { min: 256, max: 100_000_000 } as const
export const ContextLength = z.int().check(z.minimum(CONTEXT.min), z.maximum(CONTEXT.max))
export const MAX_THINKING_LEVELS = 12
export const ThinkingLevel = z.string().check(z.regex(/^[a-z][a-z0-9_-]{0,31}$/))

/** What a model takes and can do. Null: not known. */
export const ModelCapabilities = z.object({
  takes_pictures: z.nullable(z.boolean()),
  takes_files: z.nullable(z.boolean()),
  uses_tools: z.nullable(z.boolean()),
  context_length: z.nullable(ContextLength),
  /** How hard it can be told to think, from the least on; none where it cannot be told. */
  thinking_levels: z.nullable(z.array(ThinkingLevel).check(z.maxLength(MAX_THINKING_LEVELS))),
})
export type ModelCapabilities = z.infer<typeof ModelCapabilities>

export const UNKNOWN_CAPABILITIES: ModelCapabilities = {
  takes_pictures: null,
  takes_files: null,
  uses_tools: null,
  context_length: null,
  thinking_levels: null,
}

/** What the portal says itself in each request. */
const OWN_FIELDS: readonly string[] = ['model', 'messages', 'stream', 'stream_options']
/** Characters, as JSON. */
const MAX_REQUEST_FIELDS = 4_000
/** Further fields of the requests to a model, such as `{"temperature": 0.2}`. */
export const RequestFields = z.record(z.string().check(z.regex(/^[A-Za-z][\w.-]{0,63}$/)), z.json()).check(
  z.refine(fields => JSON.stringify(fields).length <= MAX_REQUEST_FIELDS, 'too long'),
  z.refine(fields => !JSON.stringify(fields).includes('\\u0000'), 'no database keeps such a character'),
  z.refine(fields => !Object.keys(fields).some(name => OWN_FIELDS.includes(name)), 'the portal says that itself'),
)
export type RequestFields = z.infer<typeof RequestFields>

/** Of each level of thinking the fields that ask for it, such as `{"off": {"enable_thinking": false}}`. */
export const ThinkingFields = z
  .record(ThinkingLevel, RequestFields)
  .check(z.refine(levels => Object.keys(levels).length <= MAX_THINKING_LEVELS, 'too many levels'))
export type ThinkingFields = z.infer<typeof ThinkingFields>

/** What the first of them knows; of what it does not know, the next, and so on. */
export const firstKnown = (...given: readonly ModelCapabilities[]): ModelCapabilities =>
  given.reduce(
    (known, next) => ({
      takes_pictures: known.takes_pictures ?? next.takes_pictures,
      takes_files: known.takes_files ?? next.takes_files,
      uses_tools: known.uses_tools ?? next.uses_tools,
      context_length: known.context_length ?? next.context_length,
      thinking_levels: known.thinking_levels ?? next.thinking_levels,
    }),
    UNKNOWN_CAPABILITIES,
  )

/**
 * A model as people choose it. `label` is set for codes an administrator added; the others are named by the language
 * files.
 */
export const ModelChoice = z.object({
  source: Source,
  code: ModelCode,
  label: z.nullable(z.string()),
  /** What it takes and can; null: not known, so that it is offered, and refused when the endpoint says so. */
  context_length: z.nullable(z.int()),
  takes_pictures: z.nullable(z.boolean()),
  takes_files: z.nullable(z.boolean()),
  thinking_levels: z.nullable(z.array(z.string())),
  /** What it costs a million tokens, in the portal's currency; left out where nobody knows. */
  price: z.optional(z.object({ input: z.number(), output: z.number(), currency: z.string() })),
})
export type ModelChoice = z.infer<typeof ModelChoice>

export function isKnownModel(code: string): code is KnownModelCode {
  return SOURCES.some(source => (MODEL_CODES[source] as readonly string[]).includes(code))
}
