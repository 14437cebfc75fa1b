/**
 * Translators and extensions replace the page's texts, or wrap them. React then removes a node, or inserts before one,
 * that is not where it left it; the browser refuses that, and the whole screen would give way to one that says it broke
 * (React's issue 11538). With this a node is removed from where it is now, if it is anywhere, and inserted as near as
 * can be told.
 *
 * A text that changes and has siblings wants an element of its own all the same: React would change the replaced text,
 * which nobody sees.
 */
export function tolerateMovedNodes(): void {
  const { removeChild, insertBefore } = Node.prototype
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    if (child.parentNode === this) return removeChild.call(this, child) as T // what it removes it returns
    child.parentNode?.removeChild(child)
    return child
  }
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, next?: Node | null): T {
    return insertBefore.call(this, node, childWith(this, next)) as T // what it inserts it returns
  }
}

/** The child that is a node, or has it inside; null where the node is elsewhere. Libraries also leave it out. */
function childWith(parent: Node, node: Node | null = null): Node | null {
  let child = node
  while (child !== null && child.parentNode !== parent) child = child.parentNode
  return child
}
