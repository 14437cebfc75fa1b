import { credentialStore } from '#server/credentials/store.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { ConfigurationMistake } from '#server/foundation/configurationMistake.ts'
import { openSecretBox, type SecretBox } from '#server/foundation/secrets.ts'
import { type Finding, good, wrong } from './finding.ts'

/** Checks the key that seals stored secrets. The first start creates it. */
export function checkSecretKey(data_dir: string, env: NodeJS.ProcessEnv): { finding: Finding; box: SecretBox | null } {
  try {
    return { finding: good('secret key', 'can be read'), box: openSecretBox(data_dir, env) }
  } catch (cause) {
    if (!(cause instanceof ConfigurationMistake)) throw cause
    const mend = 'Put the key back from where it is kept. If it is lost, remove the file and enter the API keys again.'
    return { finding: wrong('secret key', cause.message, mend), box: null }
  }
}

/** Checks that the stored API key can be opened. One that cannot is worse than none: everything looks right and no ask is answered. */
export async function checkStoredKey({ database }: OpenDatabase, inUse: string | null): Promise<Finding[]> {
  const stored = await credentialStore(database).find('openai_api_key')
  if (stored === undefined || inUse !== null) return []
  return [
    wrong(
      'stored key',
      `the API key was entered for ${stored.origin ?? 'another address'}, or sealed with another secret key, and is not used`,
      'Enter it again on the administrators’ page.',
    ),
  ]
}
