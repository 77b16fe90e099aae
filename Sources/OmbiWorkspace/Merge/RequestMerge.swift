/// The merge of a request that both sides changed, member by member and row by row.
struct RequestMerge {
    /// With mine of what both sides changed.
    let request: SavedRequest
    /// True where both sides changed the same member, each in another way.
    let isConflict: Bool

    private typealias Members = [JSONValue.Member]

    /// Lists of rows, each with a name.
    private static let rows: Set<String> = ["query", "headers", "cookies"]
    /// Objects whose members are merged one by one.
    private static let objects: Set<String> = ["pathParameters", "variables", "expect"]
    /// Members that are of no use without each other.
    private static let address: Set<String> = ["path", "pathParameters"]

    /// Nil for a request that is based on an operation, as its document brings the changes.
    init?(base: SavedRequest, mine: SavedRequest, theirs: SavedRequest) {
        guard mine.operation == nil, theirs.operation == nil, case .object(let old) = base.json,
            case .object(let own) = mine.json, case .object(var others) = theirs.json
        else { return nil }
        var isMoved = false
        let addresses = [old, own, others].map { members in members.filter { Self.address.contains($0.key) } }
        if addresses[0] != addresses[1], addresses[0] != addresses[2], mine.path != theirs.path {
            isMoved = true
            others = others.filter { !Self.address.contains($0.key) } + addresses[0]
        }
        let (members, isConflict) = Self.merged(base: old, mine: own, theirs: others)
        guard var request = SavedRequest(json: .object(members)) else { return nil }
        request.id = mine.id
        self.request = request
        self.isConflict = isConflict || isMoved
    }

    private static func merged(
        base: Members, mine: Members, theirs: Members
    ) -> (members: Members, isConflict: Bool) {
        let value = { (members: Members, key: String) in members.first { $0.key == key }?.value }
        var (members, isConflict): (Members, Bool) = ([], false)
        for key in ListMerge.order(base: base.map(\.key), mine: mine.map(\.key), theirs: theirs.map(\.key)) {
            let found = merged(key, base: value(base, key), mine: value(mine, key), theirs: value(theirs, key))
            if let value = found.value { members.append(JSONValue.Member(key, value)) }
            isConflict = isConflict || found.isConflict
        }
        return (members, isConflict)
    }

    private static func merged(
        _ key: String, base: JSONValue?, mine: JSONValue?, theirs: JSONValue?
    ) -> (value: JSONValue?, isConflict: Bool) {
        let (value, isConflict) = ListMerge.merge(base: base, mine: mine, theirs: theirs)
        guard isConflict else { return (value, false) }
        switch (mine, theirs) {
        case (.array(let own)?, .array(let others)?) where rows.contains(key):
            let found = ListMerge.merge(base: base?.elements ?? [], mine: own, theirs: others) {
                $0["name"]?.stringValue ?? ""
            }
            return (JSONValue.array(found.values), !found.conflicts.isEmpty)
        case (.object(let own)?, .object(let others)?) where objects.contains(key):
            var old: Members = []
            if case .object(let members)? = base { old = members }
            let found = merged(base: old, mine: own, theirs: others)
            return (JSONValue.object(found.members), found.isConflict)
        default: return (mine, true)
        }
    }
}
