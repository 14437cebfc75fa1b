import { createHash } from 'node:crypto'
import type { BodyOf } from '#contract/call.ts'
import {
  type createInvitation,
  type Invitation,
  INVITATION_DAYS,
  type InvitationState,
  MAX_INVITATIONS,
} from '#contract/invitations.ts'
import { recordAudit } from '#server/audit/audit.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { randomToken } from '#server/foundation/ids.ts'
import { invalid, Refusal } from '#server/foundation/refusal.ts'
import { planStore } from '#server/policy/planStore.ts'
import { namesOf, userStore } from '#server/users/store.ts'
import type { User } from '#server/users/user.ts'
import { type InvitationRow, invitationStore } from './store.ts'

type Dependencies = { open: OpenDatabase; clock: Clock }

/** 192 bits, which nobody guesses, in an address that is short enough to be sent. */
const TOKEN_BYTES = 24
const DAY = 86_400_000

/** Only the hash is stored: whoever reads the database comes by no invitation. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

export type Invitations = ReturnType<typeof openInvitations>

/** Links by which people make an account of their own, in the plan that the link has, as administrators see them. */
export function openInvitations({ open, clock }: Dependencies) {
  return {
    async list(): Promise<Invitation[]> {
      const rows = await invitationStore(open.database).list()
      const nameOf = await namesOf(
        open.database,
        rows.map(({ created_by }) => created_by),
      )
      return rows.map(row => view(row, clock.now(), nameOf))
    },

    async create(
      { id, username, nickname }: Pick<User, 'id' | 'username' | 'nickname'>,
      { plan_id, uses, end_time }: BodyOf<typeof createInvitation>,
    ): Promise<Invitation & { token: string }> {
      const now = clock.now()
      const end = end_time === undefined ? now + INVITATION_DAYS * DAY : end_time === null ? null : Date.parse(end_time)
      if (end !== null && end <= now) throw invalid(['body', 'end_time'], 'timeHasPassed')
      const token = randomToken(TOKEN_BYTES)
      const row = { plan_id, uses, used: 0, end_time: end, create_time: now, created_by: id, revoke_time: null }
      const invitation_id = await open.transaction(async trx => {
        // Counted while nobody else adds one.
        await userStore(trx).lockActiveSuperusers(open.engine)
        const store = invitationStore(trx)
        if (plan_id !== null && (await planStore(trx).lock(plan_id, open.engine)) === undefined)
          throw new Refusal('planNotFound')
        if ((await store.countOpen(now)) >= MAX_INVITATIONS)
          throw new Refusal('tooManyInvitations', { most: MAX_INVITATIONS })
        const made = await store.insert({ ...row, token_hash: hashOf(token) })
        await recordAudit(trx, {
          action: 'invitation.created',
          subject: subjectOf(made),
          after: { plan_id, uses, end_time: timeText(end) },
        })
        return made
      })
      const created = { ...row, id: invitation_id, token_hash: '' }
      return { ...view(created, now, () => ({ id, username, nickname })), token }
    },

    async revoke(id: number): Promise<void> {
      await open.transaction(async trx => {
        const store = invitationStore(trx)
        if ((await store.find(id)) === undefined) throw new Refusal('invitationNotFound')
        const revoked = await store.revoke(id, clock.now())
        if (revoked !== undefined) await recordAudit(trx, { action: 'invitation.revoked', subject: subjectOf(id) })
      })
    },
  }
}

export const subjectOf = (id: number) => ({ kind: 'invitation' as const, id })

export function stateOf({ revoke_time, used, uses, end_time }: InvitationRow, now: number): InvitationState {
  if (revoke_time !== null) return 'revoked'
  if (used >= uses) return 'used'
  return end_time !== null && end_time <= now ? 'expired' : 'open'
}

type NameOf = Awaited<ReturnType<typeof namesOf>>

function view(row: InvitationRow, now: number, nameOf: NameOf): Invitation {
  const { id, plan_id, uses, used, end_time, create_time, created_by } = row
  return {
    id,
    plan_id,
    uses,
    used,
    end_time: timeText(end_time),
    state: stateOf(row, now),
    create_time: new Date(create_time).toISOString(),
    created_by: nameOf(created_by),
  }
}

export const timeText = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString())
