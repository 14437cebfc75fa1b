import type { Configuration } from '#contract/configuration/configuration.ts'
import type { StartConfiguration } from '#server/configuration/start.ts'
import { openConfiguration } from '#server/configuration/configuration.ts'
import { openBus } from '#server/foundation/database/bus.ts'
import { systemClock } from '#server/foundation/clock.ts'
import { ConfigurationError } from '#server/foundation/configurationError.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { openOutbound, type Outbound } from '#server/foundation/outbound/outbound.ts'
import type { SecretBox } from '#server/foundation/secrets.ts'
import { checkAdministrators, checkClock, checkDatabase } from './database.ts'
import { checkDataFolder, checkSecretKey, checkStoredKey, checkUnreadableKeys } from './dataFolder.ts'
import { type Finding, good, wrong } from '#server/foundation/finding.ts'
import { checkFurther, checkUpstream } from './upstream.ts'
import { openLog } from '#server/foundation/logging.ts'
import { SOURCE_LIST } from '#server/sources/list/list.ts'
import { openUnreadableKeys } from '#server/status/unreadableKeys.ts'
import { openCredentials } from '#server/upstreams/settingsView/credentials.ts'
import { settingsOfUpstreams } from '#server/upstreams/settingsView/settings.ts'
import { openUpstreams, type Upstreams } from '#server/upstreams/upstreams.ts'
import { type Command, EXIT, type Terminal } from '../command.ts'
import { type PortalStorage, readStorage } from '../storage.ts'

const MODELS_SETTING = 'openai_api.enabled_models'

export const doctor: Command = {
  name: 'doctor',
  usage: '',
  summary:
    'Looks at configuration, data folder, disk, database, clock and upstream, and says what is wrong and how to mend it.',
  async run(_asked, terminal) {
    const findings = await examine(terminal)
    for (const finding of findings) {
      terminal.say(`${finding.good ? 'ok   ' : 'WRONG'}  ${finding.about.padEnd(14)}  ${finding.text}`)
      if (!finding.good) terminal.say(`${' '.repeat(23)}${finding.mend}`)
    }
    const count = findings.filter(finding => !finding.good).length
    terminal.say(
      count === 0 ? 'Everything is in order.' : `${count === 1 ? '1 thing is' : `${count} things are`} wrong.`,
    )
    return count === 0 ? EXIT.good : EXIT.failed
  },
}

async function examine(terminal: Terminal): Promise<Finding[]> {
  let storage: PortalStorage
  try {
    storage = readStorage(terminal)
  } catch (cause) {
    if (!(cause instanceof ConfigurationError)) throw cause
    return [wrong('configuration', cause.message, 'docs/configuration.md names every setting and its bounds.')]
  }
  const { findings, open } = await checkDatabase(storage)
  try {
    return [
      good('configuration', ['can be read', ...storage.start.warnings].join('. ')),
      ...(await checkDataFolder(storage.data_dir)),
      ...findings,
      await checkClock(open, systemClock),
      ...(open === null ? [] : [await checkAdministrators(open)]),
      ...(await examineUpstream(storage.start, open, terminal)),
    ]
  } finally {
    await open?.close()
  }
}

/** Uses the stored settings where there is a database, else the start configuration. */
async function examineUpstream(
  start: StartConfiguration,
  open: OpenDatabase | null,
  { env }: Terminal,
): Promise<Finding[]> {
  const outbound = openOutbound()
  try {
    if (open === null) {
      const picked = [start.file, start.environment].some(layer => layer.has(MODELS_SETTING))
      return await checkUpstream({
        configuration: start.configuration,
        key: start.credentials.openai_api_key,
        outbound,
        env,
        picked,
      })
    }
    const { finding, box } = checkSecretKey(start.configuration.data.data_dir, env)
    return box === null ? [finding] : [finding, ...(await examineWithStored(start, open, box, { outbound, env }))]
  } finally {
    await outbound.close()
  }
}

type Surroundings = { outbound: Outbound; env: NodeJS.ProcessEnv }

async function examineWithStored(
  start: StartConfiguration,
  open: OpenDatabase,
  box: SecretBox,
  around: Surroundings,
): Promise<Finding[]> {
  const bus = await openBus(open)
  const configuration = await openConfiguration(start, open, bus, settingsOfUpstreams)
  const upstreams = await openUpstreams({
    open,
    bus,
    secretBox: box,
    configuration,
    credentials: start.credentials,
    env: around.env,
    clock: systemClock,
    log: openLog('WARNING', { write: () => {} }),
    demonstrationUrls: { openai_api: '', openai_web: '' },
  })
  const credentials = openCredentials({
    ...{ start, open, bus, secretBox: box, configuration, snapshot: upstreams.snapshot },
  })
  try {
    const unreadable = openUnreadableKeys({ open, secretBox: box, credentials, upstreams })
    const picked = configuration.originOf(MODELS_SETTING) !== 'default'
    return [
      ...checkStoredKey(credentials.read()._set['openai_api_key']),
      ...checkUnreadableKeys(await unreadable.list()),
      // One without its key is not asked.
      ...(credentials.isUnreadable('openai_api_key')
        ? []
        : await checkUpstream({
            configuration: configuration.current(),
            key: credentials.inUse('openai_api_key'),
            picked,
            hasOthers: !upstreams.isDemonstration(),
            ...around,
          })),
      ...(await checkAdded(upstreams, configuration.current(), around.outbound)),
    ]
  } finally {
    await upstreams.close()
    configuration.close()
    await bus.close()
  }
}

/** Further endpoints, and the accounts of sources that have a check of their own. */
async function checkAdded(upstreams: Upstreams, settings: Configuration, outbound: Outbound): Promise<Finding[]> {
  const findings: Finding[] = []
  const isAsked = ({ id }: { id: number }) => upstreams.reach({ id }).unusable === undefined
  for (const added of upstreams.inUse('openai_api').filter(each => each.modelsBy === 'row' && isAsked(each)))
    findings.push(...(await checkFurther(outbound, added.label, upstreams.reach(added))))
  for (const { code, checkAccount } of SOURCE_LIST) {
    if (checkAccount === undefined || !settings[code].enabled) continue
    for (const { id, label } of upstreams.inUse(code).filter(isAsked)) {
      const { locked, base_url } = upstreams.requireShared(id)
      const isOfSettings = locked.includes('base_url')
      if (isOfSettings && base_url === null) continue
      const account = { label, isOfSettings, endpoint: upstreams.reach({ id }) }
      findings.push(await checkAccount(outbound, account, systemClock.now()))
    }
  }
  return findings
}
