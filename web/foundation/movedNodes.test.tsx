import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { tolerateMovedNodes } from './movedNodes.ts'

const { removeChild, insertBefore } = Node.prototype

beforeEach(tolerateMovedNodes)
afterEach(() => void Object.assign(Node.prototype, { removeChild, insertBefore }))

const Row = ({ first, middle, last }: { first?: boolean; middle?: boolean; last?: boolean }) => (
  <p data-testid="row">
    {first && <b>first </b>}
    {middle && 'middle '}
    {last && <i>last</i>}
  </p>
)

/** As a translator does: a text of its own stands where the page's was. */
function translate(row: Element): void {
  for (const node of [...row.childNodes].filter(each => each instanceof Text)) {
    const translated = document.createElement('font')
    translated.textContent = node.data.toUpperCase()
    node.replaceWith(translated)
  }
}

/** As an extension does: the page's text stands within something of its own. */
function wrap(row: Element): void {
  for (const node of [...row.childNodes].filter(each => each instanceof Text)) {
    const wrapper = document.createElement('font')
    node.replaceWith(wrapper)
    wrapper.append(node)
  }
}

describe('a text of the page that something else has replaced', () => {
  test('can be removed, as can what stands beside it', async () => {
    const screen = await render(<Row first middle last />)
    translate(screen.getByTestId('row').element())
    await screen.rerender(<Row first />)
    const row = screen.getByTestId('row').element()
    // The text that is not ours stays.
    expect([...row.children].map(({ localName }) => localName)).toEqual(['b', 'font'])
  })
  test('can have something inserted before it', async () => {
    const screen = await render(<Row middle last />)
    translate(screen.getByTestId('row').element())
    await screen.rerender(<Row first middle last />)
    expect(screen.getByTestId('row').element().querySelector('b')?.textContent).toBe('first ')
  })
})

test('what is inserted before nothing comes last, as ever', () => {
  const list = document.createElement('ul')
  for (const name of ['li', 'b']) insertLast(list, document.createElement(name))
  expect(list.innerHTML).toBe('<li></li><b></b>')
})

/** As a library calls it that leaves the second argument out, which the types forbid. */
const insertLast = (list: Element, node: Element): unknown => Reflect.apply(list.insertBefore, list, [node])

describe('a text of the page that something else has wrapped', () => {
  test('is removed from where it is', async () => {
    const screen = await render(<Row middle last />)
    wrap(screen.getByTestId('row').element())
    await screen.rerender(<Row last />)
    expect(screen.getByTestId('row').element().textContent).toBe('last')
  })
  test('has what is inserted before it there', async () => {
    const screen = await render(<Row middle last />)
    wrap(screen.getByTestId('row').element())
    await screen.rerender(<Row first middle last />)
    expect(screen.getByTestId('row').element().textContent).toBe('first middle last')
  })
})
