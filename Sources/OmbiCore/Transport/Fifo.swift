/// A line of elements: the first to come is the first to go. Taking one out does not move the others.
struct Fifo<Element> {
    private var elements: [Element?] = []
    private var start = 0

    var count: Int { elements.count - start }
    var isEmpty: Bool { count == 0 }
    var first: Element? { start < elements.count ? elements[start] : nil }

    /// From the front; nil behind the end.
    subscript(offset: Int) -> Element? { offset < count ? elements[start + offset] : nil }

    mutating func append(_ element: Element) { elements.append(element) }

    /// Moves all others; for what happens seldom.
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
