/// The members of two objects, matched by key.
enum JSONMembers {
    /// A member without a partner, and the place in the newer object of the last member before it with one, or -1.
    struct Gone: Comparable {
        var behind: Int
        var place: Int

        static func < (left: Gone, right: Gone) -> Bool { (left.behind, left.place) < (right.behind, right.place) }
    }

    /// Matches members by key. Duplicate keys are matched in order.
    /// - Parameters: The hashes of the keys.
    /// - Returns: The place of the old member for each new one, and the old members that are left.
    static func match(_ old: [UInt64], _ new: [UInt64]) -> (partners: [Int?], gone: [Gone]) {
        var numbers = HashNumbers()
        // The first place of each key by its number, and for each place the next one of the same key; -1 for none.
        var first: [Int] = []
        var following = [Int](repeating: -1, count: new.count)
        for place in new.indices.reversed() {
            let number = Int(numbers.number(of: new[place]))
            if number == first.count { first.append(-1) }
            following[place] = first[number]
            first[number] = place
        }
        var partners = [Int?](repeating: nil, count: new.count)
        var gone: [Gone] = []
        var last = -1
        for place in old.indices {
            if let number = numbers.find(old[place]).map({ Int($0) }), first[number] >= 0 {
                last = first[number]
                partners[last] = place
                first[number] = following[last]
            } else {
                gone.append(Gone(behind: last, place: place))
            }
        }
        return (partners, gone.sorted())
    }
}
