/// The lines of a box drawing character in its cell, as its name in Unicode describes them. A font leaves gaps between
/// the rows of a picture, or lets them overlap; drawn lines do not.
struct BoxLines: Equatable {
    enum Weight: String {
        case light = "LIGHT"
        case heavy = "HEAVY"
    }

    /// Up, right, down and left from the middle of the cell.
    private var sides = [Weight?](repeating: nil, count: 4)
    private var isArc = false

    private static let sidesOfWords: [Substring: [Int]] = [
        "UP": [0], "RIGHT": [1], "DOWN": [2], "LEFT": [3], "VERTICAL": [0, 2], "HORIZONTAL": [1, 3],
    ]

    /// Nil for other characters, and for dashes, diagonals and double lines.
    init?(_ scalar: Unicode.Scalar) {
        guard let name = scalar.properties.name, name.hasPrefix("BOX DRAWINGS ") else { return nil }
        // A weight holds for all sides after it, or for those before it that have none.
        var leading: Weight?
        var open: [Int] = []
        for word in name.split(separator: " ").dropFirst(2) where word != "AND" {
            if word == "ARC" {
                isArc = true
            } else if let weight = Weight(rawValue: String(word)) {
                if open.isEmpty { leading = weight }
                for side in open { sides[side] = weight }
                open = []
            } else if let named = Self.sidesOfWords[word] {
                for side in named { sides[side] = leading }
                if leading == nil { open += named }
            } else {
                return nil
            }
        }
    }

    /// The data of a path with the lines of a weight, empty where there are none.
    func path(_ weight: Weight, x: Int, y: Int, width: Int, height: Int) -> String {
        let (middle, center) = (x + width / 2, y + height / 2)
        let ends = [(middle, y), (x + width, center), (middle, y + height), (x, center)]
        let chosen = sides.indices.filter { sides[$0] == weight }
        guard isArc, chosen.count == 2 else {
            return chosen.map { "M\(middle),\(center)L\(ends[$0].0),\(ends[$0].1)" }.joined()
        }
        let (first, last) = (ends[chosen[0]], ends[chosen[1]])
        return "M\(first.0),\(first.1)Q\(middle),\(center) \(last.0),\(last.1)"
    }
}
