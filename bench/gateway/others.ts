import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startChild } from '../child.ts'
import type { Usage } from '../probe.ts'
import { chatTarget } from '../relay/direct.ts'
import type { Target } from '../relay/target.ts'

/** Another gateway that runs here. */
export type OtherGateway = { target: Target; stop(): Promise<void> }

/** They are no part of the product: installed once, beside it. */
const FOLDER = process.env['COMMONS_BENCH_FOLDER'] ?? join(homedir(), '.cache', 'chat-commons-bench')
const [PORTKEY, LITELLM] = ['1.15.2', '1.80.0']

/** Those that can be installed. Whoever cannot be is left out, and that is said. */
export async function startOthers(upstream: string): Promise<OtherGateway[]> {
  const started: OtherGateway[] = []
  for (const [name, start] of [
    [`Portkey ${PORTKEY}`, startPortkey],
    [`LiteLLM ${LITELLM}`, startLiteLlm],
  ] as const) {
    try {
      started.push(await start(name, upstream))
    } catch (cause) {
      console.log(`  ${name} is not measured: ${cause instanceof Error ? cause.message : String(cause)}`)
    }
  }
  return started
}

/** The folder of a gateway, which `commands` fill the first time. */
function installed(name: string, commands: readonly (readonly [string, ...string[]])[]): string {
  const folder = join(FOLDER, name)
  const mark = join(folder, 'installed')
  if (existsSync(mark)) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [command, ...args] of commands) {
    const { status, stderr, error } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', timeout: 600_000 })
    if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr.slice(-500)}`)
  }
  writeFileSync(mark, '')
  return folder
}

async function startPortkey(name: string, upstream: string): Promise<OtherGateway> {
  const folder = installed(`portkey-${PORTKEY}`, [
    ['npm', 'install', '--prefix', '.', '--no-save', `@portkey-ai/gateway@${PORTKEY}`],
  ])
  const port = await freePort()
  const start = join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js')
  const child = startChild(start, ['--headless', `--port=${port}`], { NODE_ENV: 'production' }, [
    '--import',
    join(import.meta.dirname, 'mutableHeaders.ts'),
  ])
  await listens(port)
  const headers = {
    ...{ authorization: 'Bearer none', 'x-portkey-provider': 'openai' },
    'x-portkey-custom-host': upstream.replace(/\/$/, ''),
  }
  const address = { url: `http://127.0.0.1:${port}/v1/chat/completions`, model: 'gpt-4', headers }
  return { target: chatTarget(name, child.usage, () => address), stop: child.stop }
}

async function startLiteLlm(name: string, upstream: string): Promise<OtherGateway> {
  const folder = installed(`litellm-${LITELLM}`, [
    ['python3', '-m', 'venv', '.'],
    ['bin/pip', 'install', '--quiet', `litellm[proxy]==${LITELLM}`],
  ])
  const port = await freePort()
  const params = { model: 'openai/gpt-4', api_base: upstream.replace(/\/$/, ''), api_key: 'none' }
  // YAML takes JSON.
  writeFileSync(
    join(folder, 'config.yaml'),
    JSON.stringify({ model_list: [{ model_name: 'gpt-4', litellm_params: params }] }),
  )
  const args = ['--config', 'config.yaml', '--host', '127.0.0.1', '--port', String(port), '--telemetry', 'False']
  const child = spawn(join(folder, 'bin/litellm'), args, {
    cwd: folder,
    stdio: 'ignore',
    env: { ...process.env, LITELLM_LOCAL_MODEL_COST_MAP: 'True', LITELLM_LOG: 'ERROR' },
  })
  const gone = once(child, 'exit')
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL')
    await gone
  }
  await listens(port).catch(async (cause: unknown) => {
    await stop()
    throw cause
  })
  const address = { url: `http://127.0.0.1:${port}/v1/chat/completions`, model: 'gpt-4' }
  return {
    target: chatTarget(
      name,
      () => Promise.resolve(usageOf(child.pid ?? 0)),
      () => address,
    ),
    stop,
  }
}

/** Milliseconds that a gateway may take to start. */
const START = 120_000

async function listens(port: number): Promise<void> {
  for (const end = performance.now() + START; performance.now() < end; await delay(200))
    if (
      await fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        () => false,
      )
    )
      return
  throw new Error('it did not start')
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens at a port
  server.close()
  return port
}

const TICK_US = 10_000
const PAGE = 4_096

/** Linux: what a process that is no Node has used. */
function usageOf(pid: number): Usage {
  const read = (file: string): string => readFileSync(`/proc/${pid}/${file}`, 'utf8')
  // Behind the name in brackets; user and system time are the 14th and 15th field.
  const [user, system] = read('stat').replace(/.*\) /s, '').split(' ').slice(11, 13).map(Number)
  const resident = Number(read('statm').split(' ')[1])
  return { cpu_us: ((user ?? 0) + (system ?? 0)) * TICK_US, rss: resident * PAGE }
}
