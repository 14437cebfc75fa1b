import type { Configuration } from '#contract/configuration/configuration.ts'
import type { Allowance } from '#contract/allowance.ts'
import { rowsAsked } from '#contract/paging.ts'
import type { QueryOf, ResultOf } from '#contract/call.ts'
import {
  type LedgerRow,
  listLedger,
  type UserRemoval,
  listUserPage,
  previewRemoval,
  readUserAllowance,
  readUserRow,
} from '#contract/userAdministration.ts'
import type { Users } from '#server/users/users.ts'
import { userStore } from '#server/users/store.ts'
import { countSessions } from '#server/users/sessionStore.ts'
import { askStore } from '#server/asks/store.ts'
import { conversationStore } from '#server/conversations/store.ts'
import { fileStore } from '#server/files/store.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Jobs } from '#server/foundation/jobs/jobs.ts'
import type { Log } from '#server/foundation/logging.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { ledgerStore } from '#server/usage/ledger.ts'
import { changeUsers } from '#contract/bulk.ts'
import type { User } from '#server/users/user.ts'
import type { Http } from '#server/foundation/http/http.ts'
import { bulkChanges, bulkJob } from './bulk.ts'
import { openUserChanges } from './userChanges.ts'
import { userList } from './list.ts'

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  log: Log
  jobs: Jobs
  configuration(): Configuration
  users: Users
  allowance(user_id: number): Promise<Allowance>
}

type UserAdministration = ReturnType<typeof openUserAdministration>

/** People for administrators: the list, one person with all that belongs to them, and bulk changes. */
export function openUserAdministration({ open, clock, log, jobs, configuration, users, allowance }: Dependencies) {
  const list = userList({ open, clock, configuration })
  const userChanges = openUserChanges({ open, clock, configuration, users, log })
  jobs.define(bulkJob({ open, list, userChanges }))

  async function requireUser(id: number) {
    const user = await userStore(open.database).find(id)
    if (user === undefined) throw new Refusal('userNotExist')
    return user
  }

  return {
    list,
    change: bulkChanges({ list, userChanges, jobs }),

    /** What removing the account would remove, keep and stop. */
    async previewRemoval(id: number): Promise<UserRemoval> {
      const { is_superuser, is_active } = await requireUser(id)
      const { database } = open
      const [conversations, files, asks, sessions, another] = await Promise.all([
        conversationStore(database).countOf(id),
        fileStore(database).sumOf(id),
        askStore(database).livingOf(id),
        countSessions(database, [id], clock.now()),
        userStore(database).anyActiveSuperuser(id),
      ])
      return {
        conversations,
        files: files.count,
        file_bytes: files.bytes,
        running_asks: asks.length,
        sessions: sessions[0]?.count ?? 0,
        is_last_superuser: is_superuser && is_active && another === undefined,
      }
    },

    async allowanceOf(id: number): Promise<Allowance> {
      await requireUser(id)
      return allowance(id)
    },

    async ledgerOf(id: number, query: QueryOf<typeof listLedger>): Promise<ResultOf<typeof listLedger>> {
      await requireUser(id)
      const asked = { user_id: id, source: query.source ?? null }
      const store = ledgerStore(open.readOnly())
      const [rows, total] = await Promise.all([store.page(asked, rowsAsked(query)), store.count(asked)])
      return { rows: rows.map(toLedgerRow), total }
    },
  }
}

type StoredEntry = Awaited<ReturnType<ReturnType<typeof ledgerStore>['page']>>[number]

function toLedgerRow({ id, create_time, source, model, change, of_total, of_model, reason, ask_id }: StoredEntry) {
  return {
    id,
    create_time: new Date(create_time).toISOString(),
    source: source as LedgerRow['source'], // only the ledger writes it and the reason
    model,
    change,
    of_total,
    of_model,
    reason: reason as LedgerRow['reason'],
    ask_id,
  }
}

export function userRoutes(http: Http<User>, users: UserAdministration): void {
  http.answer(changeUsers, ({ user, body }) => users.change(body, user))
  http.answer(listUserPage, ({ query }) => users.list.page(query))
  http.answer(readUserRow, ({ params }) => users.list.one(Number(params.id)))
  http.answer(previewRemoval, ({ params }) => users.previewRemoval(Number(params.id)))
  http.answer(readUserAllowance, ({ params }) => users.allowanceOf(Number(params.id)))
  http.answer(listLedger, ({ params, query }) => users.ledgerOf(Number(params.id), query))
}
