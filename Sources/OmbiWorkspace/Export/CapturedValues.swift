/// The values that the requests of a script have captured so far. Those of each collection and environment are its own,
/// also where they have one name: no server gets the value of another one's response by mistake.
struct CapturedValues: Sendable {
    struct Value: Sendable {
        /// The name in the script.
        var name: String
        /// Scheme, host and port of the request that captures it.
        var origin: String
        var isSecret: Bool
    }

    private struct Key: Hashable {
        var name: String
        var file: String
        var environment: String?
    }

    private var values: [Key: Value] = [:]
    private var names: UniqueNames

    /// - Parameter columns: names that rows of data have in the script.
    init(besides columns: Set<String> = []) { names = UniqueNames(columns) }

    /// Returns the value of a name in the collection of a request; nil where no earlier request captures it.
    func value(named name: String, for order: RunOrder) -> Value? { values[Self.key(name, order)] }

    /// Adds what a step captures, under the names that it has in the script from here on.
    mutating func take(_ step: inout LoadStep, of order: RunOrder, origin: String) {
        for index in step.taken.indices {
            let name = step.taken[index].name
            let key = Self.key(name, order)
            let unique = values[key]?.name ?? names.take(name)
            let isSecret = order.request.captures.contains { $0.name == name && $0.isSecret }
            values[key] = Value(name: unique, origin: origin, isSecret: isSecret)
            step.taken[index].name = unique
        }
    }

    private static func key(_ name: String, _ order: RunOrder) -> Key {
        Key(name: name, file: order.file, environment: order.chosenEnvironment?.name)
    }
}
