/**
 * Generates docs/configuration.md from the declarations, and from what the page says of them in English. Started as a
 * program it writes the file; a test fails when the file is stale.
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import { SECTIONS } from '#contract/configuration/configuration.ts'
import { settingNames } from '#web/i18n/en-US/admin/settingNames.ts'

const FILE = fileURLToPath(new URL('../docs/configuration.md', import.meta.url))

/** A setting in its JSON schema. The fields after the blank line are ours (contract/settings.ts). */
type Described = {
  default?: unknown
  type?: string
  enum?: unknown[]
  anyOf?: Described[]
  minimum?: number
  maximum?: number
  maxItems?: number
  additionalProperties?: Described
  pattern?: string

  note?: string
  unit?: string
  secret?: boolean
  restart?: boolean
  startOnly?: boolean
  environment?: string
}

export function configurationDocs(): string {
  return `${[HEAD, ...Object.entries(SECTIONS).map(([name, schema]) => section(name, schema))].join('\n\n')}\n`
}

const HEAD = `# Configuration

<!-- Made by "node scripts/node.mjs scripts/configurationDocs.ts" from contract/configuration/ and the English texts of the page; do not edit. -->

Nothing needs to be set. Where a value is set in several places, the later one of these wins: the default, the configuration file
(YAML or JSON), what an administrator stored on the page, the environment. A value that is wrong stops the start with one line
that names it.

The environment name of a setting is \`COMMONS_\`, its section and its name, in capitals: \`http.port\` is \`COMMONS_HTTP_PORT\`. Some
have a short name as well, named below. Lists and mappings are written as JSON. A secret may also be read from a file: put
\`_FILE\` behind the name, and the path as the value.

Four variables are no settings. \`_FILE\` may stand behind all but the first of them, too.

| Variable | Meaning |
|---|---|
| \`COMMONS_CONFIG\` | path of the configuration file; otherwise \`config.yaml\`, \`config.yml\` or \`config.json\` in the data folder |
| \`COMMONS_SECRET_KEY\` | key by which stored keys are encrypted; otherwise \`secret.key\` in the data folder |
| \`OPENAI_API_KEY\` or \`COMMONS_CREDENTIALS_OPENAI_API_KEY\` | key for the OpenAI-compatible endpoint |
| \`COMMONS_CREDENTIALS_OPENAI_WEB_ACCESS_TOKEN\` | access token of the web account |

*Restart*: takes effect at the next start. *Start only*: cannot be changed on the page, only by file or environment.`

function section(name: string, schema: z.ZodMiniObject): string {
  // zod's type of a JSON schema is as general as the standard; ours has this shape
  const { properties } = z.toJSONSchema(schema, { io: 'input' }) as { properties: Record<string, Described> }
  const rows = Object.entries(properties).map(([key, described]) => row(name, key, described))
  return [`## ${name}`, '', '| Setting | Default | Values | Meaning |', '|---|---|---|---|', ...rows].join('\n')
}

function row(section: string, key: string, described: Described): string {
  const notes = [
    described.note ?? '',
    mayBeUnlimited(described) ? '-1: unlimited.' : '',
    described.environment === undefined ? '' : `Also \`${described.environment}\`.`,
    described.secret ? 'Secret.' : '',
    described.startOnly ? 'Start only.' : '',
    described.restart && !described.startOnly ? 'Restart.' : '',
  ]
    .filter(Boolean)
    .join(' ')
  const names = `\`${section}.${key}\`<br>\`COMMONS_${section}_${key}\``.replace(/`COMMONS_.*`/, name =>
    name.toUpperCase(),
  )
  return `| ${[names, fallback(described), values(described), `${textsOf(`${section}.${key}`)} ${notes}`.trim()].map(cell).join(' | ')} |`
}

const TEXTS: Readonly<Record<string, string>> = settingNames

/** The name and the help that the page has. */
const textsOf = (path: string): string => `${TEXTS[`config.${path}`]}. ${TEXTS[`config.${path}.help`]}`

function mayBeUnlimited({ minimum, additionalProperties }: Described): boolean {
  return minimum === -1 || (additionalProperties !== undefined && mayBeUnlimited(additionalProperties))
}

function fallback({ default: value }: Described): string {
  return value === null || value === '' ? 'empty' : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
}

function values(described: Described): string {
  const { anyOf, enum: choices, type, unit } = described
  if (anyOf !== undefined) {
    const [first] = anyOf.filter(each => each.type !== 'null')
    return `${values({ ...first, unit })}, or empty`
  }
  if (choices !== undefined) return choices.map(choice => `\`${choice}\``).join(', ')
  if (type === 'boolean') return '`true`, `false`'
  if (type === 'integer' || type === 'number') return `${between(described)}${unit === undefined ? '' : ` ${unit}`}`
  if (type === 'array') return `a list${described.maxItems === undefined ? '' : ` of at most ${described.maxItems}`}`
  if (type === 'object') return 'a mapping'
  return described.pattern?.startsWith('^https?:') ? 'an http or https address' : 'a text'
}

/** zod bounds every integer by the safe integers; such a bound is not documented. */
function between({ minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: Described): string {
  const low = minimum > Number.MIN_SAFE_INTEGER
  const high = maximum < Number.MAX_SAFE_INTEGER
  if (low && high) return `${minimum} to ${maximum}`
  if (low) return `${minimum} or more`
  return high ? `${maximum} or less` : 'a whole number'
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}

if (import.meta.main) writeFileSync(FILE, configurationDocs())
