import { describe, expect, onTestFinished, test } from 'vitest'
import { type DatabaseStorage, openDatabase, type OpenDatabase } from '#server/foundation/database/open.ts'
import { openSecretBox, type SecretBox } from '#server/foundation/secrets.ts'
import { startProcess } from '#testing/childProcess.ts'
import { emptyFolder } from '#testing/dataFolder.ts'
import { eachStorage } from '#testing/database.ts'
import { openSecret, sealCredentialsAnew } from './secret.ts'

const ORIGIN = 'https://models.example.org'
const SECRETS = { openai_web: 'token-of-the-web', openai_api: 'sk-of-the-portal' }

/** A start that is killed while the secret of the second upstream is being stored. */
const KILLED_START = `
  const { openDatabase } = await import('#server/foundation/database/open.ts')
  const { openSecretBox } = await import('#server/foundation/secrets.ts')
  const { sealCredentialsAnew } = await import('#server/upstreams/secret.ts')
  const open = await openDatabase(JSON.parse(process.env.STORAGE))
  const box = openSecretBox(process.env.FOLDER, {})
  let sealed = 0
  const seal = (text, context) => {
    sealed += 1
    if (sealed === 2) process.kill(process.pid, 'SIGKILL')
    return box.seal(text, context)
  }
  await sealCredentialsAnew(open, { ...box, seal })
`

async function opened(where: DatabaseStorage): Promise<OpenDatabase> {
  const open = await openDatabase(where)
  onTestFinished(() => open.close())
  return open
}

/** Seals the secrets of the settings as stored credentials were. */
async function storeAsBefore({ database }: OpenDatabase, box: SecretBox): Promise<void> {
  for (const [source, name] of [
    ['openai_web', 'openai_web_access_token'],
    ['openai_api', 'openai_api_key'],
  ] as const)
    await database
      .updateTable('upstreams')
      .set({
        sealed_secret: box.seal(SECRETS[source], `stored_credentials/${name}/${ORIGIN}`),
        ...{ secret_origin: ORIGIN, secret_form: 'credential' },
      })
      .where('source', '=', source)
      .execute()
}

const rowsOf = ({ database }: OpenDatabase) => database.selectFrom('upstreams').selectAll().orderBy('id').execute()
const secretsOf = async (open: OpenDatabase, box: SecretBox) =>
  (await rowsOf(open)).map(row => openSecret(box, row, ORIGIN).key)
const formsOf = async (open: OpenDatabase) => (await rowsOf(open)).map(({ secret_form }) => secret_form)

eachStorage((_, storage) => {
  describe('secrets that are sealed as stored credentials', () => {
    test('are opened as they are, and sealed anew for their upstreams by a start', async () => {
      const [open, box] = [await opened(await storage()), openSecretBox(await emptyFolder(), {})]
      await storeAsBefore(open, box)
      const before = (await rowsOf(open)).map(({ sealed_secret }) => sealed_secret)
      expect(await secretsOf(open, box)).toEqual(Object.values(SECRETS))
      await sealCredentialsAnew(open, box)
      expect(await formsOf(open)).toEqual([null, null])
      expect(await secretsOf(open, box)).toEqual(Object.values(SECRETS))
      expect((await rowsOf(open)).filter(({ sealed_secret }) => before.includes(sealed_secret))).toEqual([])
      // They are bound to their rows then.
      const [web, api] = await rowsOf(open)
      expect(openSecret(box, { ...web!, id: api!.id }, ORIGIN).isUnreadable).toBe(true)
    })
    test('stay as they are where they cannot be opened, until the right key is back', async () => {
      const [open, folder, other] = [await opened(await storage()), await emptyFolder(), await emptyFolder()]
      await storeAsBefore(open, openSecretBox(folder, {}))
      const before = await rowsOf(open)
      await sealCredentialsAnew(open, openSecretBox(other, {}))
      expect(await rowsOf(open)).toEqual(before)
      await sealCredentialsAnew(open, openSecretBox(folder, {}))
      expect(await formsOf(open)).toEqual([null, null])
      expect(await secretsOf(open, openSecretBox(folder, {}))).toEqual(Object.values(SECRETS))
    })
    test('are read and sealed anew by the next start where one was killed amid them', async () => {
      const where = await storage()
      const folder = await emptyFolder()
      const box = openSecretBox(folder, {})
      const before = await openDatabase(where)
      await storeAsBefore(before, box)
      await before.close()
      const { ended } = startProcess(KILLED_START, { STORAGE: JSON.stringify(where), FOLDER: folder })
      expect((await ended).signal).toBe('SIGKILL')
      const open = await opened(where)
      expect(await formsOf(open)).toEqual([null, 'credential'])
      expect(await secretsOf(open, box)).toEqual(Object.values(SECRETS))
      await sealCredentialsAnew(open, box)
      expect(await formsOf(open)).toEqual([null, null])
      expect(await secretsOf(open, box)).toEqual(Object.values(SECRETS))
    })
  })
})
