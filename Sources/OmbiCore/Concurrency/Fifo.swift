/// A first-in, first-out queue. Removing an element does not move the others.
struct Fifo<Element> {
    private var elements: [Element?] = []
    private var start = 0

    var count: Int { elements.count - start }
    var isEmpty: Bool { count == 0 }
    var first: Element? { start < elements.count ? elements[start] : nil }

    /// The element at an offset from the front; nil past the end.
    subscript(offset: Int) -> Element? { offset < count ? elements[start + offset] : nil }

    mutating func append(_ element: Element) { elements.append(element) }

    /// Adds an element at the front. Moves all others; for rare use.
    mutating func prepend(_ element: Element) {
        compact()
        elements.insert(element, at: 0)
    }

    mutating func popFirst() -> Element? {
        guard start < elements.count else { return nil }
        let element = elements[start]
        elements[start] = nil
        start += 1
        if start == elements.count {
            elements.removeAll(keepingCapacity: start <= 64)
            start = 0
        } else if start >= 64, start * 2 >= elements.count {
            compact()
        }
        return element
    }

    mutating func removeAll(where isRemoved: (Element) -> Bool) {
        compact()
        elements.removeAll { element in element.map(isRemoved) ?? true }
    }

    private mutating func compact() {
        elements.removeFirst(start)
        start = 0
    }
}

extension Fifo: Sendable where Element: Sendable {}
