/// The members of two objects, by their keys.
enum JSONMembers {
    /// A member that has no partner, and the last one before it that has: the place of that in the newer object, or -1.
    struct Gone: Comparable {
        var behind: Int
        var place: Int

        static func < (left: Gone, right: Gone) -> Bool { (left.behind, left.place) < (right.behind, right.place) }
    }

    /// Of a key that is there more than once the first belongs to the first.
    /// - Parameters: hashes of the keys.
    /// - Returns: For each new member the place of the old one, and the old ones that are left.
    static func match(_ old: [UInt64], _ new: [UInt64]) -> (partners: [Int?], gone: [Gone]) {
        var numbers = HashNumbers()
        // By number the first place of the key, and for each place the next one of the same key; -1 where none is.
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
