/// The last value of each kind that a part of a request has had, for a kind that is chosen again.
///
/// It is in memory only: no file has it, and equal requests may have different ones.
struct FormerKinds<Kind: Hashable & Sendable, Value: Equatable & Sendable>: Sendable {
    private var values: [Kind: Value] = [:]
    /// The value that the last change made; none or one, as each request has room for it.
    private var made: [Value] = []

    /// Returns the value after a change of its kind. One that was edited takes the place of the earlier values to which it
    /// can be converted.
    /// - Parameters:
    ///   - oldKind: the kind of the old value.
    ///   - kind: nil for no value.
    mutating func value(
        replacing old: Value?, of oldKind: Kind?, by kind: Kind?, empty: (Kind) -> Value,
        converting: (Value, Kind) -> Value
    ) -> Value? {
        guard kind != oldKind else { return old }
        if let old, let oldKind, old != made.first {
            values = values.filter { converting(old, $0.key) == empty($0.key) }
            values[oldKind] = old
        }
        guard let kind else {
            made = []
            return nil
        }
        let new = values[kind] ?? old.map { converting($0, kind) } ?? empty(kind)
        made = [new]
        return new
    }
}

extension FormerKinds: Equatable {
    static func == (_: FormerKinds, _: FormerKinds) -> Bool { true }
}

extension SavedRequest {
    /// Changes the kind of the body; the last body of that kind comes back.
    public mutating func changeBody(to kind: SavedBody.Kind?) {
        body = formerBodies.value(replacing: body, of: body?.kind, by: kind) {
            SavedBody($0)
        } converting: {
            $0.converted(to: $1)
        }
    }

    /// Changes the kind of the credentials; the last ones of that kind come back.
    public mutating func changeAuthentication(to kind: SavedAuthentication.Kind?) {
        authentication = formerCredentials.value(replacing: authentication, of: authentication?.kind, by: kind) {
            SavedAuthentication($0)
        } converting: { _, kind in
            SavedAuthentication(kind)
        }
    }
}
