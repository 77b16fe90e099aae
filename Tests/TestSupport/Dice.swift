/// Numbers that look random and are the same in every run.
public struct Dice: RandomNumberGenerator {
    private var state: UInt64

    public init(seed: Int) { state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    public mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }

    public mutating func pick<Element>(_ count: Int, of elements: [Element]) -> [Element] {
        (0..<count).map { _ in elements[Int(next() % UInt64(elements.count))] }
    }
}
