import { describe, expect, test } from 'vitest'
import { AUDIT_ACTIONS, type AuditAction, type AuditRow, type listAudit } from '#contract/audit.ts'
import type { ResultOf } from '#contract/call.ts'
import type { Prompt } from '#contract/prompts.ts'
import type { UpstreamRead } from '#contract/upstreams.ts'
import type { UserSession } from '#contract/userAdministration.ts'
import { answeredCalls } from '#testing/calls.ts'
import { eachStorage } from '#testing/database.ts'
import { type Person, signIn } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { until } from '#testing/until.ts'

type Page = ResultOf<typeof listAudit>

/** Calls that change something and are not written down, each with its reason. */
const NOT_AUDITED: Record<string, string> = {
  ...group('reads, although it is no GET', [
    'readLogLines',
    'readProxyLogLines',
    'readServerLog',
    'testUpstreamDraft',
    'testUpstream',
    'readInvitation',
    'checkInvitedName',
    'tryPerson',
    'previewPlan',
    'previewPlanList',
    'replaySharing',
    'replayPlan',
  ]),
  ...group('has what an endpoint or an account says read again, and changes nothing of ours', [
    'readUpstreamModels',
    'readModelsAgain',
    'syncConversations',
    'readPrices',
  ]),
  ...group('has work begin or end that the list of jobs shows with who did it; what it changes is written down', [
    'startJob',
    'stopJob',
    'goOnWithJob',
    'stopAsk',
    'restoreDeletion',
  ]),
  ...group('is work on one’s own conversations and files, and takes nothing away', [
    'renameConversation',
    'generateTitle',
    'chooseBranch',
    'forkConversation',
    'withdrawQuestion',
    'startUpload',
    'sendContent',
    'completeUpload',
    'uploadLocally',
    'relayUpload',
    'storeFile',
    'storePage',
    'importConversations',
    'saveConversationInstructions',
    'beginArkose',
    'usePrompt',
    'askQuietNow',
  ]),
  ...group('waits a while for what comes by one’s own keys, and stores nothing', ['beginTrial']),
  ...group('asks for something: what is decided is written down', ['requestUsage', 'withdrawUsageRequest']),
  ...group('gives or takes back what is one’s own: both ledgers have the line', ['giveShare', 'takeBackShare']),
  ...group('is how somebody wants their own page and answers', [
    'updatePreferences',
    'saveInstructions',
    'addDevice',
    'removeDevice',
    'setReminder',
    'forgetReminder',
  ]),
  ...group('ends one’s own session, or says that a page was seen', [
    'logout',
    'noticeOversight',
    'continueOversight',
    'takeUsageNotices',
    'noteView',
  ]),
}

function group(reason: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map(name => [name, reason]))
}

type Scene = {
  admin: Person
  /** Somebody with a conversation. */
  lin: Person
  conversation: string
  url: string
  /** What earlier steps have made, by name. */
  made: Map<string, unknown>
  latest(action: AuditAction): Promise<AuditRow | undefined>
}
type Step = { action: AuditAction; make(scene: Scene): Promise<unknown> }

const CANARY = 'canary-7f3a'
const SECRET = `sk-${CANARY}-secret-0123456789`
/** As a web account has it. */
const TOKEN = `eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.${CANARY}-signature`
const step = (action: AuditAction, make: Step['make']): Step => ({ action, make })

/** In this order: how each call is made, and what is written down then. */
const AUDITED: Record<string, Step> = {
  login: step('sign_in', ({ url }) => signIn(url, 'lin', 'correct-horse-7')),
  openOversight: step('conversation.read', ({ admin, conversation }) =>
    admin.result('POST', `/conv/${conversation}/oversight`, { reason: 'fault', text: 'the chart was wrong' }),
  ),
  register: step('user.created', ({ admin }) =>
    admin.result('POST', '/auth/register', { username: 'mei', nickname: 'Mei', password: `${CANARY}-password` }),
  ),
  createUser: step('user.created', async ({ admin, made }) => {
    const { user } = await admin.result<{ user: { id: number } }>('POST', '/system/users', {
      username: 'ann',
      nickname: 'Ann',
      password: '',
    })
    made.set('ann', user.id)
  }),
  updateUser: step('user.changed', ({ admin, made }) =>
    admin.result('PATCH', `/user/${made.get('ann')}`, { email: 'ann@example.org' }),
  ),
  saveUser: step('user.limits', ({ admin, made }) =>
    admin.result('PATCH', `/system/users/${made.get('ann')}`, { setting: { openai_api: { max_conv_count: 3 } } }),
  ),
  updateUserSetting: step('user.limits', ({ admin, made }) =>
    admin.result('PATCH', `/user/${made.get('ann')}/setting`, { openai_api: { total_ask_count: 9 } }),
  ),
  changeUsers: step('user.deactivated', ({ admin, made }) =>
    admin.result('POST', '/system/users/bulk', {
      selection: { ids: [made.get('ann')] },
      change: { action: 'deactivate' },
    }),
  ),
  resetPassword: step('user.password', ({ admin, made }) =>
    admin.result('POST', `/user/${made.get('ann')}/password`, { password: `${CANARY}-another` }),
  ),
  deleteUser: step('user.deleted', ({ admin, made }) => admin.result('DELETE', `/user/${made.get('ann')}`)),
  updateMe: step('user.changed', ({ lin }) => lin.result('PATCH', '/user/me', { nickname: 'Lin Xiaoyu' })),
  updateOwnApi: step('user.own_api', async ({ admin, lin }) => {
    await admin.result('PATCH', `/user/${lin.id}/setting`, { openai_api: { allow_custom_openai_api: true } })
    await lin.result('PUT', '/user/me/openai-api', { url: 'https://api.example.org/v1', key: SECRET })
  }),
  endUserSession: step('sessions.ended', async ({ admin, lin, url }) => {
    await signIn(url, 'lin', 'correct-horse-7')
    const [session] = await admin.result<UserSession[]>('GET', `/user/${lin.id}/sessions`)
    await admin.result('DELETE', `/user/${lin.id}/sessions/${session?.id}`)
  }),
  updateConfiguration: step('setting.changed', ({ admin }) =>
    admin.result('PUT', '/system/config', { portal: { name: 'Family' } }),
  ),
  updateCredentials: step('secret.changed', ({ admin }) =>
    admin.result('PUT', '/system/credentials', { openai_web_access_token: TOKEN }),
  ),
  saveSettings: step('setting.changed', ({ admin }) =>
    admin.result('PUT', '/system/settings', { portal: { name: 'Friends' } }),
  ),
  addUpstream: step('upstream.created', async ({ admin, made }) => {
    const added = await admin.result<UpstreamRead>('POST', '/system/upstreams', {
      source: 'openai_api',
      label: 'Second',
      base_url: 'http://127.0.0.1:1/v1',
      proxy: `http://user:${CANARY}@127.0.0.1:2`,
      secret: SECRET,
    })
    made.set('upstream', added.id)
  }),
  changeUpstream: step('secret.changed', ({ admin, made }) =>
    admin.result('PATCH', `/system/upstreams/${made.get('upstream')}`, { secret: `${SECRET}-2` }),
  ),
  pauseUpstream: step('upstream.changed', ({ admin, made }) =>
    admin.result('POST', `/system/upstreams/${made.get('upstream')}/pause`),
  ),
  resumeUpstream: step('upstream.changed', ({ admin, made }) =>
    admin.result('POST', `/system/upstreams/${made.get('upstream')}/resume`),
  ),
  removeUpstream: step('upstream.deleted', ({ admin, made }) =>
    admin.result('DELETE', `/system/upstreams/${made.get('upstream')}`),
  ),
  createPrompt: step('prompt.created', async ({ admin, made }) => {
    const prompt = { name: 'Shared', short_name: 'shared', text: CANARY, blanks: {}, is_active: true, is_shared: true }
    made.set('prompt', (await admin.result<Prompt>('POST', '/prompt', prompt)).id)
  }),
  updatePrompt: step('prompt.changed', ({ admin, made }) =>
    admin.result('PATCH', `/prompt/${made.get('prompt')}`, { text: `${CANARY} again` }),
  ),
  deletePrompt: step('prompt.deleted', ({ admin, made }) => admin.result('DELETE', `/prompt/${made.get('prompt')}`)),
  assignConversation: step('conversation.assigned', ({ admin, conversation }) =>
    admin.result('PATCH', `/conv/${conversation}/assign/admin`),
  ),
  undoAudit: step('conversation.assigned', async ({ admin, latest }) =>
    admin.result('POST', `/audit/${(await latest('conversation.assigned'))?.id}/undo`),
  ),
  deleteConversation: step('conversation.deleted', ({ lin, conversation }) =>
    lin.result('DELETE', `/conv/${conversation}`),
  ),
  restoreConversation: step('conversation.restored', ({ admin, conversation }) =>
    admin.result('POST', `/conv/${conversation}/restore`),
  ),
  changeConversations: step('conversations.changed', async ({ admin, lin, latest }) => {
    const before = (await latest('conversations.changed'))?.id
    await admin.result('POST', '/system/conversations/bulk', { action: 'hide', filter: { owner: String(lin.id) } })
    await until(async () => expect((await latest('conversations.changed'))?.id).not.toBe(before))
  }),
  deleteAllConversations: step('conversations.changed', ({ lin }) => lin.result('DELETE', '/conv')),
  vanishConversation: step('conversation.deleted', ({ admin, conversation }) =>
    admin.result('DELETE', `/conv/${conversation}/vanish`),
  ),
  endUserSessions: step('sessions.ended', ({ admin, lin }) => admin.result('DELETE', `/user/${lin.id}/sessions`)),
}

/** Written down by calls that have tests of their own, which say so. */
const AUDITED_IN_OTHER_TESTS: Record<string, AuditAction> = {
  acceptWindow: 'upstream.changed',
  deleteFile: 'file.deleted',
  updatePlugin: 'plugin.changed',
  updatePluginSingular: 'plugin.changed',
  createInvitation: 'invitation.created',
  revokeInvitation: 'invitation.revoked',
  acceptInvitation: 'invitation.used',
  createPlan: 'plan.created',
  changePlan: 'plan.changed',
  deletePlan: 'plan.deleted',
  movePerson: 'user.plan',
  decideUsageRequest: 'usage.granted',
  holdUser: 'user.legal_hold',
  askToKeep: 'conversation.keep_asked',
  answerKeepRequest: 'conversation.kept',
  movePeople: 'user.plan',
  changePolicy: 'user.limits',
  savePrices: 'price.changed',
  createKey: 'key.created',
  changeKey: 'key.changed',
  revokeOwnKey: 'key.deleted',
  revokeKey: 'key.deleted',
  linkIdentity: 'user.linked',
  endProviderSessions: 'sessions.ended',
  createProvider: 'provider.created',
  changeProvider: 'provider.changed',
  removeProvider: 'provider.deleted',
}

describe('every call that may change something', () => {
  test('is written down, or is named with the reason why it is not', async () => {
    const { app } = await startPortal()
    const changing = answeredCalls(app.http.answered).filter(({ call }) => call.method !== 'GET')
    const known = new Set([NOT_AUDITED, AUDITED, AUDITED_IN_OTHER_TESTS].flatMap(Object.keys))
    expect(changing.map(({ name }) => name).filter(name => !known.has(name))).toEqual([])
  })
})

eachStorage((_, storage) => {
  test('each writes its row, and no secret, question or answer ever stands in one', async () => {
    const { app, admin, person, url } = await startPortal({ storage: await storage() })
    const lin = await person('lin')
    const asked = await lin.ask(`${CANARY} question`, { new_title: `${CANARY} title` })
    const list = (action: AuditAction) => admin.result<Page>('GET', `/audit?action=${action}`)
    const scene: Scene = {
      admin,
      lin,
      url,
      conversation: String(asked[0]?.['conversation_id']),
      made: new Map(),
      latest: async action => (await list(action)).rows[0],
    }
    const missing: string[] = []
    for (const [name, { action, make }] of Object.entries(AUDITED)) {
      const { total } = await list(action)
      await make(scene)
      if ((await list(action)).total <= total) missing.push(`${name}: ${action}`)
    }
    expect(missing).toEqual([])
    const { database } = app.services.open
    const stored = await database.selectFrom('audit').selectAll().execute()
    expect(stored.length).toBeGreaterThan(20)
    expect(JSON.stringify(stored)).not.toContain(CANARY)
    expect(stored.filter(({ action }) => !AUDIT_ACTIONS.some(each => each === action))).toEqual([])
    const requested = stored.filter(({ request_id }) => request_id !== null)
    expect(requested.filter(({ actor_id, address }) => actor_id === null || address === null)).toEqual([])
  })
})
