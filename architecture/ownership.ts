import type { ESTree } from 'vite'
import type { tables } from '#server/foundation/database/schema/schema.ts'
import { isTest, type Source, visit } from './sources.ts'

/** Made by migrations with SQL of one database, and so not in the description of the schema. */
type OfOneDatabase = 'message_ranks' | 'message_terms' | 'schema_migrations'

/**
 * The folder of each table. Its files alone name the table in a query; others join a subquery that the folder exports.
 */
export const OWNERS: Record<keyof typeof tables | OfOneDatabase, string> = {
  users: 'server/users',
  sessions: 'server/users',
  sign_in_attempts: 'server/users',
  invitations: 'server/invitations',
  identity_providers: 'server/signIn',
  user_identities: 'server/signIn',
  logout_tokens: 'server/signIn',
  user_preferences: 'server/users',
  user_source_settings: 'server/policy',
  user_keys: 'server/keys',
  plans: 'server/policy',
  user_policy_values: 'server/policy',
  user_credits: 'server/policy',
  members_version: 'server/policy',
  user_model_allowances: 'server/policy',
  ask_counts: 'server/usage',
  ask_ledger: 'server/usage',
  usage_sums: 'server/usage',
  usage_ledger: 'server/usage',
  usage_windows: 'server/usage',
  ledger_currency: 'server/usage',
  usage_requests: 'server/usage',
  usage_notices: 'server/usage',
  usage_months: 'server/usage',
  share_gifts: 'server/usage',
  share_gift_uses: 'server/usage',
  push_keys: 'server/notices',
  push_subscriptions: 'server/notices',
  push_notices: 'server/notices',
  pool_openings: 'server/limits',
  share_claims: 'server/limits',
  asks: 'server/asks',
  ask_chunks: 'server/asks',
  ask_logs: 'server/asks',
  queues: 'server/asks',
  conversations: 'server/conversations',
  deletions: 'server/conversations',
  upstream_changes: 'server/sources/openai_web',
  messages: 'server/conversations',
  uploaded_files: 'server/files',
  user_instructions: 'server/instructions',
  conversation_instructions: 'server/instructions',
  prompts: 'server/instructions',
  prompt_uses: 'server/instructions',
  file_texts: 'server/files',
  file_pages: 'server/files',
  upstreams: 'server/upstreams',
  upstream_models: 'server/upstreams',
  cooling_models: 'server/upstreams',
  reported_windows: 'server/upstreams',
  model_prices: 'server/upstreams',
  disabled_plugins: 'server/sources/openai_web',
  stored_settings: 'server/configuration',
  audit: 'server/audit',
  oversight: 'server/audit',
  ask_sums: 'server/statistics',
  request_sums: 'server/statistics',
  request_people: 'server/statistics',
  jobs: 'server/foundation/jobs',
  searched_messages: 'server/foundation/search',
  search_queue: 'server/foundation/search',
  search_index: 'server/foundation/search',
  message_ranks: 'server/foundation/search',
  message_terms: 'server/foundation/search',
  schema_migrations: 'server/foundation/database',
}

/**
 * Names every table: migrations change what others own, and the search joins conversations and messages in SQL that
 * differs between the two databases.
 */
const OF_ALL = ['server/foundation/database/', 'server/foundation/search/']

type NamedTable = { table: string; path: string }

/** The tables that the code of these files names in a query. */
export function namedTables(sources: readonly Source[]): NamedTable[] {
  return sources
    .filter(source => !isTest(source))
    .flatMap(source => [...tablesIn(source)].map(table => ({ table, path: source.path })))
}

/** Whether the file may name the table. */
export function mayName({ table, path }: NamedTable): boolean {
  return OF_ALL.some(folder => path.startsWith(folder)) || path.startsWith(`${ownerOf(table)}/`)
}

export function ownerOf(table: string): string | null {
  return Object.entries(OWNERS).find(([name]) => name === table)?.[1] ?? null
}

const NAMES_A_TABLE =
  /^(selectFrom|insertInto|replaceInto|updateTable|deleteFrom|mergeInto|using|from|table|(inner|left|right|full|cross)Join(Lateral)?)$/
const IN_SQL = /\b(?:from|join|into|update|table)\s+"?([a-z_]+)/gi

function tablesIn(source: Source): Set<string> {
  const found = new Set<string>()
  const note = (name: string): void => {
    if (ownerOf(name) !== null) found.add(name)
  }
  const noteSql = (text: string): void => {
    for (const [, name = ''] of text.matchAll(IN_SQL)) note(name)
  }
  visit(source, {
    CallExpression: ({ callee, arguments: [first] }) => {
      const called = callee.type === 'MemberExpression' ? callee.property : callee
      if (called.type !== 'Identifier' || !NAMES_A_TABLE.test(called.name)) return
      for (const text of textsOf(first)) note(text.split(' ')[0] ?? '')
    },
    Literal: ({ value }) => {
      if (typeof value === 'string') noteSql(value)
    },
    TemplateLiteral: ({ quasis }) => noteSql(quasis.map(({ value }) => value.cooked ?? '').join('?')),
  })
  return found
}

/** A text, or those of a list. */
function textsOf(argument: ESTree.Argument | undefined): string[] {
  if (argument?.type === 'Literal') return typeof argument.value === 'string' ? [argument.value] : []
  if (argument?.type !== 'ArrayExpression') return []
  return argument.elements.flatMap(each =>
    each?.type === 'Literal' && typeof each.value === 'string' ? [each.value] : [],
  )
}
