import type { Configuration } from '#contract/configuration/configuration.ts'
import type { FirstSignIn, RuleOutcome } from '#contract/signIn.ts'
import { Nickname, Username } from '#contract/users.ts'
import { recordAudit } from '#server/audit/audit.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { useInvitation } from '#server/invitations/joining.ts'
import { NOTHING_OWN } from '#server/policy/plans.ts'
import { planStore } from '#server/policy/planStore.ts'
import { moveIntoPlan } from '#server/users/planMoves.ts'
import { type UserRow, userStore } from '#server/users/store.ts'
import type { Users } from '#server/users/users.ts'
import type { Identity } from './exchange.ts'
import { type Claims, decide, verifiedEmail } from './rules.ts'
import { type IdentityRow, type ProviderRow, signInStore } from './store.ts'

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  configuration(): Configuration
  users: Pick<Users, 'directory'>
}

/** How many names are tried for somebody whose own is taken. */
const MAX_NAMES = 20
const NAME_LENGTH = 28

/** Whose account it is that a provider names: found, made or connected, and what the rules make of it. */
export function openArriving({ open, clock, configuration, users }: Dependencies) {
  const store = signInStore(open.database)
  const outcomeFor = (provider: ProviderRow, claims: Claims): RuleOutcome =>
    // the contract lets no other in
    decide(claims, { ...provider, first_sign_in: provider.first_sign_in as FirstSignIn })

  const connect = (trx: Transaction, user_id: number, provider: ProviderRow, { issuer, subject }: Identity) => {
    const now = clock.now()
    return signInStore(trx).insertIdentity({
      ...{ user_id, provider_id: provider.id, issuer, subject },
      ...{ create_time: now, last_sign_in_time: now, closed_by_rule: false },
    })
  }

  /** An account without a password. Both are made or neither: of two at once one gets the subject. */
  async function make(provider: ProviderRow, identity: Identity, invitation: string | null): Promise<void> {
    const { username, nickname, email } = namesFrom(identity.claims)
    const flags = { is_active: true, is_superuser: false, is_verified: email !== '' }
    for (let at = 1; at <= MAX_NAMES; at++) {
      const account = { ...flags, email, nickname, username: at === 1 ? username : `${username}${at}`, password: null }
      try {
        await users.directory.make(account, NOTHING_OWN, async (trx, id) => {
          if ((await signInStore(trx).findIdentity(identity.issuer, identity.subject)) !== undefined)
            throw new Refusal('signInExpired')
          if (invitation !== null)
            await useInvitation({ trx, engine: open.engine, now: clock.now() }, invitation, {
              id,
              username: account.username,
              nickname,
            })
          await connect(trx, id, provider, identity)
        })
        return
      } catch (cause) {
        if (!(cause instanceof Refusal)) throw cause
        // The same person came in at the same moment, in another tab.
        if ((await store.findIdentity(identity.issuer, identity.subject)) !== undefined) return
        // Whoever has this address here must show that it is they: by their password, once.
        if (cause.key === 'emailTaken') throw new Refusal('linkNeeded', {}, { cause })
        if (cause.key !== 'userAlreadyExists') throw cause
      }
    }
    throw new Refusal('linkNeeded')
  }

  /** What the rules say, of what is not so already. Gives whether the person may come in. */
  async function apply(provider: ProviderRow, identity: IdentityRow, claims: Claims): Promise<void> {
    const user = await userStore(open.database).find(identity.user_id)
    if (user === undefined) throw new Refusal('signInNotAllowed')
    const outcome = outcomeFor(provider, claims)
    const { is_active, is_superuser } = flagsFor(user, identity, outcome)
    const closed_by_rule = is_active === undefined ? identity.closed_by_rule : !is_active
    const move = (trx: Transaction) => enterPlan(trx, user.id, outcome.plan_id)
    try {
      await users.directory.update(user.id, { is_active, is_superuser }, null, move)
      await store.changeIdentity(identity.id, { last_sign_in_time: clock.now(), closed_by_rule })
    } catch (cause) {
      // Nobody could look after the portal any more. They stay as they are.
      if (!(cause instanceof Refusal) || cause.key !== 'lastSuperuser') throw cause
    }
    if (!(await userStore(open.database).isActive(user.id))) throw new Refusal('signInNotAllowed')
  }

  function flagsFor(user: UserRow, { closed_by_rule }: IdentityRow, outcome: RuleOutcome) {
    const { superusers_by_rules } = configuration().auth
    const opens = outcome.is_active === true && !user.is_active && closed_by_rule
    const closes = outcome.is_active === false && user.is_active
    const changesRight =
      superusers_by_rules && outcome.is_superuser !== null && outcome.is_superuser !== user.is_superuser
    return {
      is_active: opens ? true : closes ? false : undefined,
      is_superuser: changesRight ? (outcome.is_superuser ?? undefined) : undefined,
    }
  }

  /** If the plan is still there; what is the person's own stays their own. */
  async function enterPlan(trx: Transaction, id: number, plan_id: number | null): Promise<void> {
    const isThere = plan_id !== null && (await planStore(trx).find(plan_id)) !== undefined
    if (isThere) await moveIntoPlan(trx, id, plan_id, { engine: open.engine })
  }

  return {
    /** The account of somebody who comes from a provider. `invitation`: the token that they came with. */
    async arrive(provider: ProviderRow, identity: Identity, invitation: string | null): Promise<number> {
      const { issuer, subject, claims } = identity
      if ((await store.findIdentity(issuer, subject)) === undefined) {
        const isInvited = provider.first_sign_in === 'invitation' && invitation !== null
        if (!isInvited && !outcomeFor(provider, claims).is_welcome) throw new Refusal('linkNeeded')
        await make(provider, identity, isInvited ? invitation : null)
      }
      const known = await store.findIdentity(issuer, subject)
      if (known === undefined) throw new Refusal('signInExpired')
      await apply(provider, known, claims)
      return known.user_id
    },

    /** For somebody who has just shown that this account is theirs. */
    async link(provider: ProviderRow, identity: Identity, user_id: number): Promise<void> {
      const row = await open.transaction(async trx => {
        const { issuer, subject } = identity
        if ((await signInStore(trx).findIdentity(issuer, subject)) !== undefined) throw new Refusal('signInExpired')
        const made = await connect(trx, user_id, provider, identity)
        const subjectOfAudit = {
          kind: 'user',
          id: user_id,
          name: (await userStore(trx).find(user_id))?.nickname ?? null,
        } as const
        await recordAudit(trx, { action: 'user.linked', subject: subjectOfAudit, after: { provider: provider.label } })
        return made
      })
      await apply(provider, row, identity.claims)
    },
  }
}

/** Names for a new account, from what the provider says. */
function namesFrom(claims: Claims) {
  const email = verifiedEmail(claims) ?? ''
  const [preferred, shown] = [claims['preferred_username'], claims['name']].map(each =>
    typeof each === 'string' ? each : '',
  )
  const plain = (preferred?.split('@')[0] || email.split('@')[0] || '')
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}\p{M}_.-]|\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .slice(0, NAME_LENGTH)
  const username = Username.safeParse(plain)
  const nickname = Nickname.safeParse(shown?.slice(0, 64))
  const name = username.success ? username.data : 'user'
  return { username: name, nickname: nickname.success ? nickname.data : name, email }
}
