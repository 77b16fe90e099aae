/// A slice of an array, `start:end:step` (RFC 9535, section 2.3.4). Bounds are below 2^53 in magnitude.
struct JSONPathSlice: Sendable {
    var start: Int?
    var end: Int?
    var step = 1

    /// True if the positions depend on the number of elements.
    var needsLength: Bool { step < 0 || (start ?? 0) < 0 || (end ?? 0) < 0 }

    /// Returns the first position and the number of positions. Unless `needsLength`, `length` may be too large.
    func positions(length: Int) -> (first: Int, count: Int) {
        func normalized(_ bound: Int) -> Int { bound >= 0 ? bound : length + bound }
        if step > 0 {
            let lower = min(max(normalized(start ?? 0), 0), length)
            let upper = min(max(normalized(end ?? length), 0), length)
            return (lower, upper > lower ? (upper - lower - 1) / step + 1 : 0)
        }
        guard step < 0 else { return (0, 0) }
        let upper = min(max(start.map(normalized) ?? length - 1, -1), length - 1)
        let lower = min(max(end.map(normalized) ?? -1, -1), length - 1)
        return (upper, upper > lower ? (upper - lower - 1) / -step + 1 : 0)
    }
}
