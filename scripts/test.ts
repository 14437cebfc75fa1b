/** npm test: everything there is. The last line is the total over all runners: "N passed, N failed". */
import { CHROMIUM_IS_MISSING, ensureChromium } from '#testing/chromium.ts'
import { closing, total } from './counts.ts'
import type { Counts } from './counts.ts'
import { checkFormat, checkTypes, lint, runPlaywright, runStep, runVitest } from './runners.ts'

/** One after the other, because together they use one core. */
async function checks(): Promise<Counts[]> {
  return [await checkTypes(), await lint(), await checkFormat()]
}

// The build uses the other core. Tests that start the program use what is built.
const build = runStep('Build', 'scripts/build.ts', ['--when-stale'])
const results: Counts[] = [...(await checks()), await build]

if (ensureChromium() === undefined) {
  results.push({ passed: 0, failed: 1, failures: [CHROMIUM_IS_MISSING] }, await runVitest(['node']))
} else {
  results.push(await runVitest(['node', 'browser']), await runPlaywright())
}

const sum = total(results)
process.exitCode = sum.failed === 0 ? 0 : 1
console.log(`\n${closing(sum)}`)
