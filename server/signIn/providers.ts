import {
  type IdentityProvider,
  type IdentityProviderChanges,
  MAX_PROVIDERS,
  type NewIdentityProvider,
  type FirstSignIn,
} from '#contract/signIn.ts'
import { recordAudit } from '#server/audit/audit.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { invalid, Refusal } from '#server/foundation/refusal.ts'
import { openStoredKey, type SecretBox } from '#server/foundation/secrets.ts'
import { userStore } from '#server/users/store.ts'
import type { Users } from '#server/users/users.ts'
import type { ProviderAccess } from './exchange.ts'
import { type ProviderRow, signInStore } from './store.ts'

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  secretBox: SecretBox
  users: Pick<Users, 'endProviderSessions'>
}

/** Sealed for the issuer that it was entered for: it goes nowhere else. */
const contextOf = (issuer: string) => `identity_providers/client_secret/${issuer}`

/** With the secret, as it is asked with. */
export function accessOf(secretBox: SecretBox, row: ProviderRow): ProviderAccess {
  const { key, isUnreadable } = openStoredKey(secretBox, row.client_secret, contextOf(row.issuer))
  if (isUnreadable) throw new Refusal('providerInvalid')
  const { issuer, client_id, scopes } = row
  return { issuer, client_id, scopes, secret: key }
}

/** The providers by which people may sign in, as superusers look after them. */
export function openIdentityProviders({ open, clock, secretBox, users }: Dependencies) {
  const store = signInStore(open.database)
  const sealed = (issuer: string, secret: string) => secretBox.seal(secret, contextOf(issuer))

  async function peopleOf(id: number): Promise<number> {
    return (await store.counts()).find(({ provider_id }) => provider_id === id)?.people ?? 0
  }

  return {
    /** For the sign-in page. */
    listOpen: async () => (await store.list()).filter(({ enabled }) => enabled).map(({ id, label }) => ({ id, label })),

    async list(): Promise<IdentityProvider[]> {
      const [rows, counts] = await Promise.all([store.list(), store.counts()])
      return rows.map(row => view(row, counts.find(({ provider_id }) => provider_id === row.id)?.people ?? 0))
    },

    async create({ secret, ...fields }: NewIdentityProvider): Promise<IdentityProvider> {
      const client_secret = secret === null || secret === '' ? null : sealed(fields.issuer, secret)
      const row = await open.transaction(async trx => {
        // Counted while nobody else adds one.
        await userStore(trx).lockActiveSuperusers(open.engine)
        if ((await signInStore(trx).list()).length >= MAX_PROVIDERS)
          throw new Refusal('tooManyProviders', { most: MAX_PROVIDERS })
        const made = await signInStore(trx).insert({ ...fields, client_secret, create_time: clock.now() })
        await audit(trx, 'provider.created', made)
        return made
      })
      return view(row, 0)
    },

    async change(id: number, { secret, ...fields }: IdentityProviderChanges): Promise<IdentityProvider> {
      const row = await open.transaction(async trx => {
        const before = await signInStore(trx).find(id)
        if (before === undefined) throw new Refusal('providerNotFound')
        const issuer = fields.issuer ?? before.issuer
        const isMoved = issuer !== before.issuer
        if (isMoved && before.client_secret !== null && secret === undefined)
          throw invalid(['body', 'secret'], 'secretOfOtherIssuer')
        const client_secret =
          secret === null || (isMoved && secret === '') ? null : secret ? sealed(issuer, secret) : before.client_secret
        const after = await signInStore(trx).change(id, { ...fields, client_secret })
        if (after === undefined) throw new Refusal('providerNotFound')
        await audit(trx, 'provider.changed', after)
        return after
      })
      return view(row, await peopleOf(id))
    },

    async remove(id: number): Promise<void> {
      await open.transaction(async trx => {
        const row = await signInStore(trx).find(id)
        if (row === undefined) throw new Refusal('providerNotFound')
        await signInStore(trx).remove(id)
        await audit(trx, 'provider.deleted', row)
      })
      await users.endProviderSessions({ provider_id: id })
    },
  }
}

/** Never the secret, nor what rules compare with: it may name people. */
const audit = (
  trx: Parameters<typeof recordAudit>[0],
  action: 'provider.created' | 'provider.changed' | 'provider.deleted',
  { id, label, issuer, client_id, enabled, first_sign_in, rules }: ProviderRow,
) =>
  recordAudit(trx, {
    action,
    subject: { kind: 'provider', id, name: label },
    after: { issuer, client_id, enabled, first_sign_in, rules: rules.length },
  })

const view = (row: ProviderRow, people: number): IdentityProvider => {
  const { id, label, issuer, client_id, scopes, position, enabled, allowed, groups_claim, rules } = row
  return {
    ...{ id, label, issuer, client_id, scopes, position, enabled, allowed, groups_claim, rules },
    first_sign_in: row.first_sign_in as FirstSignIn, // the contract lets no other in
    has_secret: row.client_secret !== null,
    people,
  }
}
