import { describe, expect, test } from 'vitest'
import type { CheckedAccounts } from '#contract/upstreamAccounts.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { ProviderEndpoint } from '#server/providers/endpoint.ts'
import { startPortal } from '#testing/portal.ts'

const ACCOUNTS: CheckedAccounts = {
  accounts: { team: { account: { structure: 'workspace' } }, plus: { account: {} } },
  account_ordering: ['team', 'plus'],
}

describe('the accounts of a token', () => {
  test('are told to superusers, of the first account and of each further one; a refused token signs nobody out', async () => {
    const asked: ProviderEndpoint[] = []
    let refusal: Refusal | null = null
    const { admin, person, app } = await startPortal({
      environment: {
        COMMONS_OPENAI_WEB_ENABLED: 'true',
        COMMONS_OPENAI_WEB_CHATGPT_BASE_URL: 'http://127.0.0.1:9/',
        COMMONS_CREDENTIALS_OPENAI_WEB_ACCESS_TOKEN: 'first',
      },
      providers: {
        openai_web: {
          reply: () => Promise.reject(new Refusal('httpError')),
          async checkAccounts(endpoint) {
            asked.push(endpoint)
            if (refusal !== null) throw refusal
            return ACCOUNTS
          },
        },
      },
    })
    const further = { source: 'openai_web', label: 'Second', secret: 'second', team_account_id: 'team' }
    const { id } = await admin.result<{ id: number }>('POST', '/system/upstreams', further)
    expect(await admin.result('GET', '/system/check-openai-web-account')).toEqual(ACCOUNTS)
    expect(await admin.result('GET', `/system/upstreams/${id}/accounts`)).toEqual(ACCOUNTS)
    expect(asked).toMatchObject([
      { key: 'first', web: { team_account_id: null } },
      { key: 'second', web: { team_account_id: null } },
    ])
    refusal = new Refusal('openai.401', { status: 401 })
    expect(await admin.call('GET', '/system/check-openai-web-account')).toMatchObject({
      code: 502,
      message: 'errors.openai.401',
    })
    expect(await admin.result('GET', '/user/me')).toMatchObject({ username: 'admin' })

    const ofApi = app.services.upstreams.ofSettings('openai_api').id
    expect(await admin.call('GET', `/system/upstreams/${ofApi}/accounts`)).toMatchObject({
      message: 'errors.notSupportedBySource',
    })
    expect(await admin.call('GET', '/system/upstreams/999/accounts')).toMatchObject({
      message: 'errors.upstreamNotFound',
    })
    const lin = await person()
    expect(await lin.call('GET', `/system/upstreams/${id}/accounts`)).toMatchObject({ code: 10403 })
    expect(await lin.call('GET', '/system/check-openai-web-account')).toMatchObject({ code: 10403 })
  })
})
