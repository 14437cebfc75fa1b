/** npm test: everything there is. The last line is the total over all runners: "N passed, N failed". */
import { CHROMIUM_IS_MISSING, ensureChromium } from '#testing/chromium.ts'
import { closing, total } from './counts.ts'
import type { Counts } from './counts.ts'
import { checkFormat, checkTypes, lint, runPlaywright, runStep, runVitest } from './runners.ts'

const results: Counts[] = [await checkTypes(), await lint(), await checkFormat()]

if (ensureChromium() === undefined) {
  results.push({ passed: 0, failed: 1, failures: [CHROMIUM_IS_MISSING] }, await runVitest(['node']))
} else {
  results.push(await runVitest(['node', 'browser']))
  results.push(await runStep('Build', 'scripts/build.ts', ['--when-stale']), await runPlaywright())
}

const sum = total(results)
process.exitCode = sum.failed === 0 ? 0 : 1
console.log(`\n${closing(sum)}`)
