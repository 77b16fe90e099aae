/// The offsets in a YAML text of the values of its JSON.
struct YAMLPlaces: Sendable {
    private var places: [(json: Int, text: Int)] = []

    init() {}

    /// Adds a value behind all others.
    mutating func add(_ json: Int, at text: Int) { places.append((json, text)) }

    /// Returns the offset in the text of the value that begins at an offset of the JSON, or of the one before.
    func offset(of json: Int) -> Int {
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle].json <= json { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? places[low - 1].text : 0
    }
}
