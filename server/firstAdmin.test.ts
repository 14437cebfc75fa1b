import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { openApp } from '#server/app.ts'
import { readStartConfiguration } from '#server/configuration/start.ts'
import { aSimulator, emptyFolder } from '#testing/dataFolder.ts'
import { signIn } from '#testing/person.ts'

const PASSWORD = 'correct-horse-7'

test('who signs in while the first administrator is being made is answered when that is done, and let in', async () => {
  const simulator = await aSimulator()
  const env = {
    COMMONS_DATA_DATA_DIR: await emptyFolder(),
    HOST: '127.0.0.1',
    PORT: '0',
    OPENAI_BASE_URL: simulator.url,
    COMMONS_COMMON_INITIAL_ADMIN_USER_PASSWORD: PASSWORD,
  }
  const app = await openApp({
    start: readStartConfiguration(env),
    env,
    log: pino({ level: 'silent' }),
    demonstrationUrls: { openai_api: simulator.url, openai_web: simulator.webUrl },
    password_cost: { memory: 64, passes: 1, parallelism: 1 },
    reads_models: false,
  })
  onTestFinished(() => app.close(0))
  const { server } = app.http.fastify
  const { users } = app.services
  const { ensureInitialAdmin } = users
  const arrived = Promise.withResolvers<void>()
  users.ensureInitialAdmin = async () => {
    await arrived.promise
    return ensureInitialAdmin()
  }
  const began = app.listen()
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on TCP, so it is no string
  const signedIn = signIn(`http://127.0.0.1:${port}`, 'admin', PASSWORD)
  await once(server, 'request')
  await new Promise(resolve => setImmediate(resolve))
  arrived.resolve()
  await began
  expect((await signedIn).id).toBeGreaterThan(0)
})
