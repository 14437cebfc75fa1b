import { execFile } from 'node:child_process'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startSimulator } from '../child.ts'
import { rotated, median, megabytes, printGoal, printTable, threeDigits } from '../figures.ts'
import { ADMIN, type Product } from '../product.ts'
import type { WebOptions } from './section.ts'
import { startWebProduct, TOKEN } from './webProduct.ts'

const run = promisify(execFile)
const BLOB = ['-H', 'x-ms-blob-type: BlockBlob', '-H', 'x-ms-version: 2020-04-08']
/** Milliseconds between two samples of memory during an upload. */
const SAMPLE_EVERY = 100

type Way = { name: string; send(): Promise<void> }
/** `cpu` of the portal, in seconds. */
type Measured = Way & { seconds: number[]; cpu: number[]; rss: number[] }

/**
 * Uploads 512 MB to the storage host: by curl directly, by curl through the portal, and by way of a copy on the portal.
 * A file of half the size shows whether the memory grows with it. The storage host computes the MD5 of what arrives, as
 * the real one does.
 */
export async function uploadOfLargeFile({ rounds, quick }: WebOptions): Promise<void> {
  const size = (quick ? 64 : 512) * 1024 * 1024
  const folder = await mkdtemp(join(tmpdir(), 'commons-bench-'))
  const whole = await emptyFile(join(folder, 'whole.bin'), size)
  const half = await emptyFile(join(folder, 'half.bin'), size / 2)
  const simulator = await startSimulator()
  const start = (strategy: string) =>
    startWebProduct(simulator, {
      COMMONS_OPENAI_WEB_FILE_UPLOAD_STRATEGY: strategy,
      COMMONS_DATA_MAX_FILE_UPLOAD_SIZE: String(size),
      COMMONS_DATA_MAX_UPLOAD_BYTES_PER_USER: '1000000000000',
    })
  const [streaming, copying] = [await start('browser_upload_only'), await start('server_upload_only')]
  try {
    const measured: Measured[] = [
      directWay(simulator.webUrl, whole),
      await portalWay(streaming, whole),
      await portalWay(streaming, half, ', half the size'),
      await copyWay(copying, whole),
    ].map(way => ({ ...way, seconds: [], cpu: [], rss: [] }))
    const children = [null, streaming.child, streaming.child, copying.child]
    // Not counted: the file is read from the disk the first time, and code that runs for the first time is slow.
    for (const one of measured) await one.send()
    for (let round = 0; round < rounds; round += 1)
      for (const one of rotated(measured, round)) {
        const child = children[measured.indexOf(one)] ?? null
        const idle = (await child?.usage(true)) ?? { cpu_us: 0, rss: 0 }
        const began = performance.now()
        let most = idle.rss
        const sampling = setInterval(() => {
          void child?.usage().then(({ rss }) => (most = Math.max(most, rss)))
        }, SAMPLE_EVERY)
        await one.send()
        clearInterval(sampling)
        one.seconds.push((performance.now() - began) / 1000)
        one.rss.push(most - idle.rss)
        one.cpu.push((((await child?.usage())?.cpu_us ?? 0) - idle.cpu_us) / 1_000_000)
      }
    report(`A file of ${size / 1024 / 1024} MB`, measured)
  } finally {
    await Promise.all([streaming.stop(), copying.stop(), simulator.stop()])
    await rm(folder, { recursive: true, force: true })
  }
}

/** The part of the answer to the start of an upload that is read. */
type UploadStarted = { upload_file_info: { id: string; openai_web_info: { upload_url: string } } }

type Large = { path: string; size: number }

async function emptyFile(path: string, size: number): Promise<Large> {
  await writeFile(path, '')
  await truncate(path, size)
  return { path, size }
}

const put = (address: string, path: string, ...more: string[]) =>
  run('curl', ['-sS', '--fail', '-X', 'PUT', '-T', path, ...BLOB, ...more, address])

function directWay(webUrl: string, { path, size }: Large): Way {
  return {
    name: 'curl to the storage host',
    async send() {
      const response = await fetch(`${webUrl}files`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
        body: JSON.stringify({ file_name: 'large.bin', file_size: size, use_case: 'my_files' }),
      })
      await put((await response.json()).upload_url, path)
    },
  }
}

async function portalWay(product: Product, { path, size }: Large, what = ''): Promise<Way> {
  const cookie = await product.signIn(ADMIN)
  return {
    name: `curl through the portal${what}`,
    async send() {
      const about = { file_name: 'large.bin', file_size: size, use_case: 'my_files' }
      const { upload_file_info } = await product.call<UploadStarted>(
        cookie,
        'POST',
        '/files/openai-web/upload-start',
        about,
      )
      const { id, openai_web_info } = upload_file_info
      await put(openai_web_info.upload_url, path, '-H', `cookie: ${cookie}`, '-H', `origin: ${product.url}`)
      await product.call(cookie, 'POST', `/files/openai-web/upload-complete/${id}`)
    },
  }
}

async function copyWay(product: Product, { path }: Large): Promise<Way> {
  const cookie = await product.signIn(ADMIN)
  return {
    name: 'copy on the portal, then sent',
    async send() {
      const headers = ['-H', `cookie: ${cookie}`, '-H', `origin: ${product.url}`]
      const { stdout } = await run('curl', [
        '-sS',
        '--fail',
        ...headers,
        '-F',
        `file=@${path}`,
        `${product.url}/api/files/local/upload`,
      ])
      const { id } = JSON.parse(stdout).result
      await product.call(cookie, 'POST', `/files/local/upload-to-openai-web/${id}`)
      await product.call(cookie, 'DELETE', `/files/${id}`)
    },
  }
}

function report(title: string, measured: Measured[]): void {
  const [direct, portal, halfOfIt] = measured
  const ratio = (one: Measured | undefined) => median(one?.seconds ?? []) / median(direct?.seconds ?? [])
  printTable(
    title,
    ['', 'seconds', 'against curl', 'CPU seconds of the portal', 'memory above idle'],
    measured.map(one => [
      one.name,
      threeDigits(median(one.seconds)),
      `${threeDigits(ratio(one))}x`,
      one === direct ? '' : threeDigits(median(one.cpu)),
      one === direct ? '' : megabytes(Math.max(...one.rss)),
    ]),
  )
  printGoal('time through the portal against curl', ratio(portal), 1.3, 'at most', 'x')
  const memory = Math.max(...(portal?.rss ?? [])) / Math.max(...(halfOfIt?.rss ?? []))
  printGoal('memory above idle against a file of half the size', memory, 1.25, 'at most', 'x')
}
