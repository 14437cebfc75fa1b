import type { Migration } from './migration.ts'

/**
 * Whose token an account had stays known when the token is removed, so that another account's is noticed. The version
 * of an upstream went when the values that were seen took its place.
 */
export const tokenAccounts: Migration = {
  version: 35,
  name: '035-token-accounts',
  statements: () => [
    'alter table upstreams add column token_account text',
    'alter table upstreams drop column version',
  ],
}
