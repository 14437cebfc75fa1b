// Checks before a start or a build. Plain JavaScript: they run before anything is known to be installed.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** One package of those that the server runs with, and of those that the page is built with: npm installs all of a kind or none. */
const SERVER_PACKAGE = '@fastify/static'
const BUILD_PACKAGES = ['vite', 'react']

/** Why nothing can start in this folder, in one line that says what to type; null when nothing prevents it. */
export function startProblem(root, environment = process.env) {
  if (isInstalled(root, SERVER_PACKAGE)) return null
  return `Chat Commons is not installed in this folder yet. Type "${installCommand(environment)}", then "npm start".`
}

/** Why nothing can be built in this folder. A build needs more than a start. */
export function buildProblem(root, environment = process.env) {
  const problem = startProblem(root, environment)
  if (problem !== null) return problem
  if (!BUILD_PACKAGES.every(name => isInstalled(root, name))) {
    return (
      'The page cannot be built: npm has left out the packages that build it, as it does with NODE_ENV=production or --omit=dev. ' +
      'Type "npm ci --include=dev", then "npm start".'
    )
  }
  const [mark] = /[#?]/.exec(root) ?? []
  if (mark === undefined) return null
  return `The page cannot be built in a folder with "${mark}" in its path: ${root}. Give the folder another name or move it, then start again.`
}

function isInstalled(root, name) {
  return existsSync(join(root, 'node_modules', name, 'package.json'))
}

/** The command that installs everything: these two variables make npm leave out what builds the page. */
function installCommand({ NODE_ENV, npm_config_omit = '' }) {
  return NODE_ENV === 'production' || npm_config_omit.includes('dev') ? 'npm ci --include=dev' : 'npm ci'
}
