/// A queue: the first that was put in is the first that comes out. Both take constant time, and what is out is let go.
struct FIFO<Element> {
    private var elements: [Element?] = []
    private var start = 0

    var count: Int { elements.count - start }
    var isEmpty: Bool { count == 0 }
    var first: Element? { isEmpty ? nil : elements[start] }

    /// From the front; nil behind the end.
    subscript(offset: Int) -> Element? { offset < count ? elements[start + offset] : nil }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        defer {
            elements[start] = nil
            start += 1
            shrink()
        }
        return elements[start]
    }

    mutating func removeAll() { self = FIFO() }

    /// When half of the room is empty, the rest moves to the front.
    private mutating func shrink() {
        if start == elements.count {
            elements.removeAll(keepingCapacity: elements.count <= 1024)
            start = 0
        } else if start >= 32, start * 2 >= elements.count {
            elements.removeFirst(start)
            start = 0
        }
    }
}
