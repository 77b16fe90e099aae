/// The members of two objects, matched by key.
enum JSONMembers {
    /// A member without a partner, and the position in the newer object of the last member before it with one, or -1.
    struct Gone: Comparable {
        var behind: Int
        var position: Int

        static func < (left: Gone, right: Gone) -> Bool {
            (left.behind, left.position) < (right.behind, right.position)
        }
    }

    /// Matches members by key. Duplicate keys are matched in order.
    /// - Parameters: The hashes of the keys.
    /// - Returns: The position of the old member for each new one, and the old members that are left.
    static func match(_ old: [UInt64], _ new: [UInt64]) -> (partners: [Int?], gone: [Gone]) {
        var numbers = HashNumbers()
        // The first position of each key by its number, and for each position the next one of the same key; -1 for none.
        var first: [Int] = []
        var following = [Int](repeating: -1, count: new.count)
        for position in new.indices.reversed() {
            let number = Int(numbers.number(of: new[position]))
            if number == first.count { first.append(-1) }
            following[position] = first[number]
            first[number] = position
        }
        var partners = [Int?](repeating: nil, count: new.count)
        var gone: [Gone] = []
        var last = -1
        for position in old.indices {
            if let number = numbers.find(old[position]).map({ Int($0) }), first[number] >= 0 {
                last = first[number]
                partners[last] = position
                first[number] = following[last]
            } else {
                gone.append(Gone(behind: last, position: position))
            }
        }
        return (partners, gone.sorted())
    }
}
