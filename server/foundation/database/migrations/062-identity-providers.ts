import { type Engine, tableDefinition } from '../schema/definition.ts'
import { bool, int, json, type Migration, ms, nullable, ownUser, text } from './migration.ts'

const TEXT: Record<Engine, string> = { sqlite: 'text', postgresql: 'text collate "C"' }
const INT: Record<Engine, string> = { sqlite: 'integer', postgresql: 'integer' }

const ofProvider = { ...int, references: 'identity_providers.id', onDelete: 'cascade' } as const

/** As they were made then. */
const providers = {
  columns: {
    id: { kind: 'id' },
    label: text,
    issuer: text,
    client_id: text,
    client_secret: nullable.text,
    scopes: text,
    position: int,
    enabled: bool,
    first_sign_in: text,
    allowed: json,
    groups_claim: text,
    rules: json,
    create_time: ms,
  },
} as const

const identities = {
  columns: {
    id: { kind: 'id' },
    user_id: ownUser,
    provider_id: ofProvider,
    issuer: text,
    subject: text,
    create_time: ms,
    last_sign_in_time: ms,
    closed_by_rule: { ...bool, default: false },
  },
  unique: [['issuer', 'subject']],
  indexes: [['user_id'], ['provider_id']],
} as const

const logoutTokens = {
  columns: { provider_id: ofProvider, jti: text, expire_time: ms },
  primaryKey: ['provider_id', 'jti'],
} as const

/** Signing in by OpenID Connect. */
export const identityProviders: Migration = {
  version: 62,
  name: '062-identity-providers',
  statements: engine => [
    ...tableDefinition(engine, 'identity_providers', providers),
    ...tableDefinition(engine, 'user_identities', identities),
    ...tableDefinition(engine, 'logout_tokens', logoutTokens),
    `alter table "sessions" add column "provider_id" ${INT[engine]}`,
    `alter table "sessions" add column "provider_session" ${TEXT[engine]}`,
  ],
}
