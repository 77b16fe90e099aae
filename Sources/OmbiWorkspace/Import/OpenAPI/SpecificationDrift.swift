import OmbiCore
import OmbiDocument

/// The differences between the requests of collections and a document.
public struct SpecificationDrift: Sendable {
    public enum Kind: String, Sendable, CaseIterable {
        /// The request would be refused, or asks for what is not there any more.
        case changed
        /// The operation has another name or another path.
        case renamed
        /// The document has no such operation.
        case gone
        /// No request is about the operation.
        case new
    }

    public struct Difference: Sendable, Equatable {
        public var kind: Kind
        /// The request; nil for an operation that is new.
        public var item: String?
        /// `GET /users/{id}`, or what a request says that has none.
        public var operation: String
        /// The difference; empty where the kind says it.
        public var message: String

        /// `changed  shop/list users: the query limit is required`
        public var line: String {
            let start = kind.rawValue + String(repeating: " ", count: 9 - kind.rawValue.utf8.count)
            return start + [item ?? operation, message].filter { !$0.isEmpty }.joined(separator: ": ")
        }

        public var json: JSONValue {
            [
                "kind": .string(kind.rawValue), "request": .nullable(item), "operation": .string(operation),
                "message": .string(message),
            ]
        }
    }

    /// Those of requests in their order, then new operations in the order of the document.
    public private(set) var differences: [Difference] = []

    public init(_ items: [SpecifiedItem], _ document: Specification) {
        let items = items.filter(\.isCandidate)
        let indices = items.map { document.index(of: $0.request) }
        var free = Set(document.operations.indices).subtracting(indices.compactMap(\.self))
        for (item, index) in zip(items, indices) {
            if let index {
                differences += Self.changes(of: item, document.operations[index])
            } else {
                differences.append(Self.missing(item, document, &free))
            }
        }
        for index in free.sorted() {
            let operation = document.operations[index]
            differences.append(
                Difference(kind: .new, item: nil, operation: operation.address, message: operation.id ?? ""))
        }
    }

    /// - Parameter free: the operations that no request is about.
    private static func missing(
        _ item: SpecifiedItem, _ document: Specification, _ free: inout Set<Int>
    ) -> Difference {
        let request = item.request
        let written = request.operation?.name ?? "\(request.method.rawValue) \(request.path)"
        let renamed = free.sorted().first { index in
            let operation = document.operations[index]
            let title = operation.base.members.first { $0.key == "request" }?.value.stringValue
            return title == request.name || operation.id == request.name
        }
        guard let renamed else {
            let names = document.operations.compactMap(\.id)
            let hint = request.operation.map { Spelling.suggestion(for: $0.name, in: names) } ?? ""
            return Difference(
                kind: .gone, item: item.name, operation: written, message: "the document has no \(written)\(hint)")
        }
        free.remove(renamed)
        let operation = document.operations[renamed]
        let name = request.operation == nil ? operation.address : operation.name
        return Difference(kind: .renamed, item: item.name, operation: written, message: "\(written) is \(name) now")
    }

    // MARK: Parameters

    private static func changes(of item: SpecifiedItem, _ operation: Specification.Operation) -> [Difference] {
        var messages: [String] = []
        for location in [Specification.Parameter.Location.query, .header] {
            messages += changes(of: item.request, operation, in: location)
        }
        if operation.needsBody, item.request.body == nil { messages.append("a body is required") }
        return messages.map {
            Difference(kind: .changed, item: item.name, operation: operation.address, message: $0)
        }
    }

    private static func changes(
        of request: SavedRequest, _ operation: Specification.Operation, in location: Specification.Parameter.Location
    ) -> [String] {
        let isHeader = location == .header
        func key(_ name: String) -> String { isHeader ? name.lowercased() : name }
        let rows = isHeader ? request.headers : request.query
        let parameters = operation.parameters.filter { $0.location == location }
        // An object or a list may be sent as several rows.
        let written = operation.base.rowNames(isHeader ? "headers" : "query")
        var messages: [String] = []
        for parameter in parameters where written.contains(parameter.name) {
            let own = rows.filter { key($0.name) == key(parameter.name) }
            let inPath = !isHeader && request.path.contains("\(parameter.name)=")
            if parameter.isRequired, !inPath, !own.contains(where: \.enabled) {
                messages.append("the \(location.rawValue) \(parameter.name) is required")
            }
            for row in own where row.enabled && !parameter.values.isEmpty && !row.value.contains("{{") {
                guard !parameter.values.contains(row.value) else { continue }
                let values = parameter.values.joined(separator: ", ").excerpt(120)
                messages.append(
                    "the \(location.rawValue) \(parameter.name) is \(JSONValue.quoted(row.value.excerpt(40))); "
                        + "the document has \(values)")
            }
        }
        // Headers are of use without being documented.
        guard !isHeader else { return messages }
        let known = Set(written + parameters.map(\.name))
        for row in rows where row.enabled && !known.contains(row.name) {
            messages.append("the document has no query \(row.name.excerpt(60))")
        }
        return messages
    }
}

extension OperationBase {
    /// The names of the rows of a list.
    fileprivate func rowNames(_ key: String) -> [String] {
        let rows = members.first { $0.key == key }?.value.elements ?? []
        return rows.compactMap { $0["name"]?.stringValue }
    }
}
