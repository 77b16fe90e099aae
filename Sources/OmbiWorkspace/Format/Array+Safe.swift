extension Array {
    /// Nil for an index that the array does not have.
    subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
