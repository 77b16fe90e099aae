/// Numbers that come from the input.
struct Choices {
    private var state: UInt64

    init(_ seed: UInt8) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next(_ count: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state % UInt64(max(1, count)))
    }
}

/// Where a body is cut that comes in portions: the ends of all but the last.
func ends(of count: Int, seed: UInt8) -> [Int] {
    var choices = Choices(seed)
    var ends: [Int] = []
    var end = 0
    while end < count, ends.count < 64 {
        ends.append(end)
        end += 1 + choices.next(choices.next(4) == 0 ? count : 9)
    }
    return ends
}
