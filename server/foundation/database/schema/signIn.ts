import type { SignInRule } from '#contract/signIn.ts'
import { json, table } from './definition.ts'

const ofProvider = { kind: 'int', references: 'identity_providers.id', onDelete: 'cascade' } as const

export const signInTables = {
  identity_providers: table({
    columns: {
      id: { kind: 'id' },
      label: { kind: 'text' },
      issuer: { kind: 'text' },
      client_id: { kind: 'text' },
      client_secret: { kind: 'text', nullable: true }, // encrypted
      scopes: { kind: 'text' },
      position: { kind: 'int' },
      enabled: { kind: 'bool' },
      first_sign_in: { kind: 'text' },
      allowed: json<string[]>(),
      groups_claim: { kind: 'text' },
      rules: json<SignInRule[]>(),
      create_time: { kind: 'ms' },
    },
  }),

  // Who an account is elsewhere. Found by issuer and subject alone.
  user_identities: table({
    columns: {
      id: { kind: 'id' },
      user_id: { kind: 'int', references: 'users.id', onDelete: 'cascade' },
      provider_id: ofProvider,
      issuer: { kind: 'text' },
      subject: { kind: 'text' },
      create_time: { kind: 'ms' },
      last_sign_in_time: { kind: 'ms' },
      closed_by_rule: { kind: 'bool', default: false }, // then a rule may open it again
    },
    unique: [['issuer', 'subject']],
    indexes: [['user_id'], ['provider_id']],
  }),

  // Tokens of back-channel logout that were used, until nobody would believe them any more.
  logout_tokens: table({
    columns: { provider_id: ofProvider, jti: { kind: 'text' }, expire_time: { kind: 'ms' } },
    primaryKey: ['provider_id', 'jti'],
  }),
}
