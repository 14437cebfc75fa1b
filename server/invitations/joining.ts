import type { Configuration } from '#contract/configuration/configuration.ts'
import type { BodyOf } from '#contract/call.ts'
import type { acceptInvitation, OfferedInvitation } from '#contract/joining.ts'
import { DEFAULT_PLAN } from '#contract/plans.ts'
import { recordAudit } from '#server/audit/audit.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { NOTHING_OWN } from '#server/policy/plans.ts'
import { planStore } from '#server/policy/planStore.ts'
import { requireFreeName } from '#server/users/directory.ts'
import { requireUncommon } from '#server/users/passwords.ts'
import type { Visitor } from '#server/users/sessions.ts'
import { requireAttempt, signInAttempts, type SignedIn } from '#server/users/signIn.ts'
import { namesOf } from '#server/users/store.ts'
import type { Users } from '#server/users/users.ts'
import { hashOf, stateOf, subjectOf, timeText } from './invitations.ts'
import { offerOf } from './offer.ts'
import { type InvitationRow, invitationStore } from './store.ts'

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  configuration(): Configuration
  users: Pick<Users, 'directory' | 'startSession'>
}

/** In place of an account, where failed attempts are counted: no user name has a space. */
const AN_INVITATION = 'an invitation'

type Accepted = BodyOf<typeof acceptInvitation>

export type Joining = ReturnType<typeof openJoining>

/** What somebody may do who holds the link of an invitation, and nothing else. */
export function openJoining({ open, clock, configuration, users }: Dependencies) {
  const attempts = signInAttempts({ database: open.database, clock })

  /** Tokens that nobody has count like wrong passwords of their address. */
  async function requireKnown(token: string, address: string): Promise<InvitationRow> {
    const attempt = { account: AN_INVITATION, address }
    await requireAttempt(attempts, attempt)
    const row = await invitationStore(open.database).findByToken(hashOf(token))
    if (row !== undefined) return row
    await attempts.fail(attempt)
    throw new Refusal('invitationNotFound')
  }

  async function requireOpen(token: string, address: string): Promise<InvitationRow> {
    const row = await requireKnown(token, address)
    refuseUnlessOpen(row, clock.now())
    return row
  }

  /** One use, the account and its plan: all of it or nothing. */
  async function makeAccount(token: string, fields: Omit<Accepted, 'token'>): Promise<number> {
    const account = { ...fields, email: '', is_active: true, is_superuser: false, is_verified: false }
    return users.directory.make(account, NOTHING_OWN, (trx, id) =>
      useInvitation({ trx, engine: open.engine, now: clock.now() }, token, { id, ...fields }),
    )
  }

  return {
    async read(token: string, address: string): Promise<OfferedInvitation> {
      const row = await requireKnown(token, address)
      const nameOf = await namesOf(open.database, [row.created_by])
      const state = stateOf(row, clock.now())
      return {
        invited_by: nameOf(row.created_by)?.nickname ?? null,
        // A revoked one is not found.
        state: state === 'revoked' ? 'used' : state,
        uses_left: Math.max(0, row.uses - row.used),
        end_time: timeText(row.end_time),
        plan: offerOf(row.plan_id, configuration()),
      }
    },

    async isNameFree(token: string, username: string, address: string): Promise<boolean> {
      await requireOpen(token, address)
      try {
        await requireFreeName(open.database, username, null)
        return true
      } catch (cause) {
        if (cause instanceof Refusal) return false
        throw cause
      }
    },

    /** `former` are the tokens of the sessions that the browser had before; they are ended. */
    async accept({ token, ...fields }: Accepted, visitor: Visitor, former: readonly string[]): Promise<SignedIn> {
      // Checked before the password is hashed, which takes long.
      await requireOpen(token, visitor.address ?? '')
      requireUncommon(fields.password, fields.username)
      const time = clock.now()
      const id = await makeAccount(token, fields)
      return users.startSession(id, { kind: 'invitation', time }, false, visitor, former)
    },
  }
}

type Joined = { id: number; username: string; nickname: string }

/** Counts a use of the invitation for an account that this transaction has just made, and puts it into its plan. */
export async function useInvitation(
  { trx, engine, now }: { trx: Transaction; engine: OpenDatabase['engine']; now: number },
  token: string,
  { id, username, nickname }: Joined,
): Promise<void> {
  const store = invitationStore(trx)
  const used = await store.use(hashOf(token), now)
  if (used === undefined) {
    const row = await store.findByToken(hashOf(token))
    if (row === undefined) throw new Refusal('invitationNotFound')
    return refuseUnlessOpen(row, now)
  }
  await enterPlan(trx, id, used.plan_id, engine)
  await recordAudit(trx, {
    action: 'invitation.used',
    subject: subjectOf(used.id),
    after: { username, nickname },
    actor: { kind: 'user', id, name: username },
  })
}

/** A plan that is gone would leave somebody with what nobody has offered. */
async function enterPlan(
  trx: Transaction,
  user_id: number,
  plan_id: number | null,
  engine: OpenDatabase['engine'],
): Promise<void> {
  if (plan_id === null || plan_id === DEFAULT_PLAN) return
  const store = planStore(trx)
  if ((await store.lock(plan_id, engine)) === undefined) throw new Refusal('invitationNotFound')
  await store.setOf(user_id, { plan_id })
}

function refuseUnlessOpen(row: InvitationRow, now: number): void {
  const state = stateOf(row, now)
  if (state === 'used') throw new Refusal('invitationUsed')
  if (state === 'expired') throw new Refusal('invitationExpired', { end_at: timeText(row.end_time) })
}
