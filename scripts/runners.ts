import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { playwrightCounts, total, vitestCounts } from './counts.ts'
import type { Counts } from './counts.ts'

const ROOT = join(import.meta.dirname, '..')

/** Deadline of a runner, so that one that hangs does not hang the whole run. */
const MAX_RUN_MS = 40 * 60_000

/**
 * A machine may stall for seconds: each failed test is tried once more and then named as flaky. When a runner is
 * started by hand, nothing is retried.
 */
const RETRIES = '1'

/** Runs a step without tests of its own. It is counted only when it fails. */
export async function runStep(name: string, file: string, args: string[] = []): Promise<Counts> {
  const code = await run(name, [file, ...args])
  return code === 0 ? { passed: 0, failed: 0, failures: [] } : failure(name)
}

export function checkTypes(): Promise<Counts> {
  return runStep('Types', binary('typescript', 'tsc'), ['--noEmit', '--singleThreaded', '-p', '.'])
}

export function lint(): Promise<Counts> {
  return runStep('Lint', binary('oxlint', 'oxlint'), ['--quiet'])
}

export function checkFormat(): Promise<Counts> {
  return runStep('Format', binary('oxfmt', 'oxfmt'), ['--check'])
}

export function runVitest(projects: ('node' | 'browser')[]): Promise<Counts> {
  return runTests('Vitest', vitestCounts, report => [
    binary('vitest', 'vitest'),
    'run',
    '--allowOnly=false',
    '--reporter=default',
    '--reporter=json',
    '--reporter=./testing/flakyReporter.ts',
    `--retry=${RETRIES}`,
    `--outputFile.json=${report}`,
    ...projects.map(project => `--project=${project}`),
  ])
}

export function runPlaywright(): Promise<Counts> {
  return runTests('Journeys', playwrightCounts, () => [
    binary('@playwright/test', 'playwright'),
    'test',
    '--reporter=list,json',
    `--retries=${RETRIES}`,
  ])
}

/** A report counts only when the exit code agrees with it; a run without a single test is a failure. */
async function runTests(
  name: string,
  read: (report: string) => Counts,
  args: (report: string) => string[],
): Promise<Counts> {
  const folder = mkdtempSync(join(tmpdir(), 'commons-report-'))
  const report = join(folder, 'report.json')
  try {
    const code = await run(name, args(report), { PLAYWRIGHT_JSON_OUTPUT_FILE: report })
    const counts = read(readFileSync(report, 'utf8'))
    if (counts.failed > 0) return counts
    if (counts.passed === 0) return failure(`${name}: no test was executed`)
    return code === 0
      ? counts
      : total([counts, failure(`${name} ended with code ${code} though no test failed: see above`)])
  } catch (error) {
    return failure(`${name} left no report: ${error instanceof Error ? error.message : error}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function failure(name: string): Counts {
  return { passed: 0, failed: 1, failures: [name] }
}

function run(name: string, args: string[], env: Record<string, string> = {}): Promise<number> {
  console.log(`\n== ${name}`)
  return new Promise(resolve => {
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
      timeout: MAX_RUN_MS,
    })
    const stop = (): unknown => child.kill('SIGTERM')
    process.once('SIGTERM', stop)
    child.on('error', () => resolve(1))
    child.on('exit', code => {
      process.off('SIGTERM', stop)
      resolve(code ?? 1)
    })
  })
}

/** The script of a package's command. node_modules/.bin cannot be used: on Windows it holds shell scripts. */
function binary(name: string, command: string): string {
  const folder = join(ROOT, 'node_modules', name)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { bin: Record<string, string> } // npm's own format
  return join(folder, bin[command] ?? '')
}
