extension RandomAccessCollection {
    /// Nil for an index that the collection does not have.
    package subscript(safe index: Index) -> Element? { index >= startIndex && index < endIndex ? self[index] : nil }
}
