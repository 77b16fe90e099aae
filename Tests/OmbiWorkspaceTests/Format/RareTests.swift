import Testing

@testable import OmbiWorkspace

@Suite("A large part behind one word")
struct RareTests {
    private struct Holder: Equatable {
        @Rare var part: [Int]?

        init(_ part: [Int]? = nil) { self.part = part }
    }

    @Test func `a change of one copy leaves the other one alone`() {
        let first = Holder([1])
        var second = first
        second.part?.append(2)
        #expect(first.part == [1])
        #expect(second.part == [1, 2])
        #expect(first != second)
    }

    @Test func `a part that nobody else refers to is changed in place`() {
        var holder = Holder(Array(0..<1000))
        let before = holder.part?.withUnsafeBufferPointer { $0.baseAddress }
        holder.part?[0] = 7
        #expect(holder.part?.withUnsafeBufferPointer { $0.baseAddress } == before)
    }

    @Test func `a part comes and goes by a change in place, too`() {
        func set(_ part: inout [Int]?, _ value: [Int]?) { part = value }
        var holder = Holder()
        holder.part?.append(1)
        #expect(holder == Holder())
        set(&holder.part, [3])
        #expect(holder.part == [3])
        set(&holder.part, nil)
        #expect(holder == Holder())
    }

    @Test func `an error in the middle of a change keeps what was changed until then`() {
        struct Stop: Error {}
        func change(_ part: inout [Int]?) throws {
            part = [1]
            throw Stop()
        }
        var holder = Holder()
        #expect(throws: Stop.self) { try change(&holder.part) }
        #expect(holder.part == [1])
    }
}
