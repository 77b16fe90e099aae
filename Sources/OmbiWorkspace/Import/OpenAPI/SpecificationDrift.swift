/// The differences between the requests of collections and a document.
package struct SpecificationDrift: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// The request would be refused, or asks for what is not there any more.
        case changed
        /// The operation has another name or another path.
        case renamed
        /// The document has no such operation.
        case gone
        /// No request is about the operation.
        case new
    }

    package struct Difference: Sendable, Equatable {
        package var kind: Kind
        /// The request; nil for an operation that is new.
        package var item: String?
        /// `GET /users/{id}`, or what a request says that has none.
        package var operation: String
        /// The difference; empty where the kind says it.
        package var message: String

        /// `changed  shop/list users: the query limit is required`
        package var line: String {
            let start = kind.rawValue + String(repeating: " ", count: 9 - kind.rawValue.utf8.count)
            return start + [item ?? operation, message].filter { !$0.isEmpty }.joined(separator: ": ")
        }

        package var json: JSONValue {
            [
                "kind": .string(kind.rawValue), "request": .nullable(item), "operation": .string(operation),
                "message": .string(message),
            ]
        }
    }

    /// Those of requests in their order, then new operations in the order of the document.
    package private(set) var differences: [Difference] = []

    package init(_ items: [SpecifiedItem], _ document: Specification) {
        let items = items.filter(\.isCandidate)
        let known = OperationIndex(document)
        let indices = items.map { known.operation(of: $0.request) }
        var free = Set(document.operations.indices).subtracting(indices.compactMap(\.self))
        let places = document.operations.map { Self.place($0.address) }
        for (item, index) in zip(items, indices) {
            if let index {
                differences += Self.changes(of: item, document.operations[index])
            } else {
                // The path of an operation whose document has it no more is known where another one was read.
                let moved = item.request.path.isEmpty ? nil : known.operation(at: item.request)
                differences.append(Self.missing(item, document, moved, places, &free))
            }
        }
        for index in free.sorted() {
            let operation = document.operations[index]
            differences.append(
                Difference(kind: .new, item: nil, operation: operation.address, message: operation.id ?? ""))
        }
    }

    /// - Parameters:
    ///   - moved: the operation with the method and the path of the request, under another name.
    ///   - places: those of the operations of the document.
    ///   - free: the operations that no request is about.
    private static func missing(
        _ item: SpecifiedItem, _ document: Specification, _ moved: Int?, _ places: [String?],
        _ free: inout Set<Int>
    ) -> Difference {
        let request = item.request
        let written = request.operation?.name ?? "\(request.method.rawValue) \(request.path)"
        let place = place(written)
        let similar = free.sorted().first { index in
            let operation = document.operations[index]
            let title = operation.base.member("request")?.stringValue
            return title == request.name || operation.id == request.name || place != nil && place == places[index]
        }
        guard let renamed = moved.flatMap({ free.contains($0) ? $0 : nil }) ?? similar else {
            // Those of other requests are not meant.
            let names = free.sorted().map { document.operations[$0].name }
            let isNamed = request.operation != nil && !names.isEmpty
            let hint = isNamed ? Spelling.suggestion(for: written, in: names) : ""
            return Difference(
                kind: .gone, item: item.name, operation: written, message: "the document has no \(written)\(hint)")
        }
        free.remove(renamed)
        let operation = document.operations[renamed]
        let name = request.operation == nil ? operation.address : operation.name
        return Difference(kind: .renamed, item: item.name, operation: written, message: "\(written) is \(name) now")
    }

    /// The method and the path of an operation without the names of its parameters: `GET users/{}` for
    /// `GET /users/{id}`. Nil for another text.
    private static func place(_ address: String) -> String? {
        let parts = address.split(separator: " ", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        let segments = PathSegments(ofOperation: parts[1]).segments.map { $0 ?? "{}" }
        return parts[0] + " " + segments.joined(separator: "/")
    }

    // MARK: Parameters

    private static func changes(of item: SpecifiedItem, _ operation: Specification.Operation) -> [Difference] {
        let locations = Specification.Parameter.Location.allCases
        var messages = locations.flatMap { changes(of: item.request, operation, in: $0) }
        messages += bodyChanges(of: item.request, operation)
        if operation.needsCredentials, !item.hasCredentials { messages.append("credentials are required") }
        return messages.map {
            Difference(kind: .changed, item: item.name, operation: operation.address, message: $0)
        }
    }

    private static func changes(
        of request: SavedRequest, _ operation: Specification.Operation, in location: Specification.Parameter.Location
    ) -> [String] {
        func key(_ name: String) -> String { location == .header ? name.lowercased() : name }
        let rows = rows(of: request, in: location)
        let parameters = operation.parameters.filter { $0.location == location }
        // An object or a list may be sent as several rows.
        let documented = operation.base.rows(location)
        let written = documented.map(\.name)
        var messages: [String] = []
        for parameter in parameters where written.contains(parameter.name) {
            let own = rows.filter { key($0.name) == key(parameter.name) }
            if parameter.isRequired, !own.contains(where: \.enabled), !mayBeElsewhere(parameter, in: request) {
                messages.append("the \(location.rawValue) \(parameter.name) is required")
            }
            for row in own where row.enabled && !row.value.contains("{{") {
                // An example of the document itself may differ from its schema.
                guard !documented.contains(where: { $0.name == parameter.name && $0.value == row.value }),
                    let reason = parameter.difference(of: row.value)
                else { continue }
                let value = JSONValue.quoted(row.value.excerpt(40))
                messages.append("the \(location.rawValue) \(parameter.name) is \(value); \(reason)")
            }
        }
        // The others are of use without being documented.
        guard location == .query else { return messages }
        let known = Set(written + parameters.map(\.name))
        for row in rows where row.enabled && !known.contains(row.name) {
            messages.append("the document has no query \(row.name.excerpt(60))")
        }
        return messages
    }
}

extension SpecificationDrift {
    fileprivate static func rows(
        of request: SavedRequest, in location: Specification.Parameter.Location
    ) -> [Field] {
        switch location {
        case .path: request.pathParameters
        case .query: request.query
        case .header: request.headers
        case .cookie: request.cookies
        }
    }

    /// Returns true for a parameter that a part of a request may hold without a row.
    fileprivate static func mayBeElsewhere(_ parameter: Specification.Parameter, in request: SavedRequest) -> Bool {
        switch parameter.location {
        case .path: true
        case .query: request.path.contains("\(parameter.name)=")
        case .header: false
        case .cookie: request.headers.contains { $0.enabled && $0.name.lowercased() == "cookie" }
        }
    }

    // MARK: Bodies

    private static let maximumBodyChanges = 5

    fileprivate static func bodyChanges(of request: SavedRequest, _ operation: Specification.Operation) -> [String] {
        guard let body = request.body else { return operation.needsBody ? ["a body is required"] : [] }
        guard let documented = operation.base.member("body") else { return ["the document has no body"] }
        guard case .object(let members) = request.wholeJSON,
            members.first(where: { $0.key == "body" })?.value != documented, let (fits, value) = judged(body)
        else { return [] }
        let types = operation.bodies.map(\.contentType)
        guard let found = operation.bodies.first(where: { fits($0.contentType) }) else {
            let isOther = !types.isEmpty && !types.contains { $0.contains("*") }
            return isOther
                ? ["the content type of the body is not \(types.joined(separator: " or ").excerpt(120))"] : []
        }
        guard let schema = found.schema.flatMap({ try? JSONSchema($0) }),
            let document = try? JSONDocument(checking: Bytes(value.compact.utf8)), let root = document.firstRoot,
            let failures = try? schema.failures(in: document, at: root)
        else { return [] }
        let isJSON = if case .json = body { true } else { false }
        let known = failures.filter { failure in
            if failure.keyword == "required" { return isJSON || failure.node == root }
            // The values of a form are texts, and those of templates are not known.
            return isJSON && !document.value(of: failure.node).compact.contains("{{")
        }
        return known.prefix(maximumBodyChanges).map {
            "the body differs at \(document.shortPath(of: $0.node).excerpt(80)): expected \($0.expected.excerpt(120))"
        }
    }

    /// The content types of a body, and its value: that of a form has the names of its rows.
    private static func judged(_ body: SavedBody) -> (fits: (String) -> Bool, value: JSONValue)? {
        let object = { (names: [String]) -> JSONValue in
            // Of `address[city]`, the field is the object.
            .object(names.map { name in JSONValue.Member(String(name.prefix { $0 != "[" }), .string("")) })
        }
        switch body {
        case .json(let content): return ({ $0.isEmpty || OpenAPIReader.Media.isJSON($0) }, content.value)
        case .form(let form):
            return ({ $0.hasPrefix(OpenAPIReader.form) }, object(form.fields.filter(\.enabled).map(\.name)))
        case .multipart(let content):
            return ({ $0.hasPrefix("multipart/form-data") }, object(content.parts.filter(\.enabled).map(\.name)))
        default: return nil
        }
    }
}

extension OperationBase {
    fileprivate func member(_ key: String) -> JSONValue? { members.first { $0.key == key }?.value }

    fileprivate func rows(_ location: Specification.Parameter.Location) -> [(name: String, value: String?)] {
        let keys: [Specification.Parameter.Location: String] = [
            .path: "pathParameters", .query: "query", .header: "headers", .cookie: "cookies",
        ]
        let rows = keys[location].flatMap { member($0) }
        if case .object(let named)? = rows {
            return named.map { (name: $0.key, value: $0.value.stringValue ?? $0.value["value"]?.stringValue) }
        }
        return (rows?.elements ?? []).compactMap { row in
            row["name"]?.stringValue.map { (name: $0, value: row["value"]?.stringValue) }
        }
    }
}

/// The part of a document that requests are about, and that their recorded runs have seen.
package struct SpecificationCoverage: Sendable {
    /// A response of the document, and whether a run got it.
    package struct Response: Sendable {
        /// `200`, `4XX` or `default`
        package var name: String
        package var isSeen: Bool
    }

    package struct Operation: Sendable {
        /// `GET /users/{id}`
        package var address: String
        package var id: String?
        /// The requests that are about it.
        package var items: [String]
        package var responses: [Response]
        /// True for one that a run got a response of.
        package var isRun: Bool
    }

    package private(set) var operations: [Operation] = []

    /// A request and a status, of which the number of recorded runs is asked.
    package struct Question: Hashable, Sendable {
        package var place: ItemPath
        package var status: StatusPattern
    }

    /// - Parameter runs: the numbers of recorded runs, for each of `questions`.
    package init(_ items: [SpecifiedItem], _ document: Specification, runs: [Question: Int]) {
        for (operation, own) in Self.pairs(items, document) {
            var entry = Operation(
                address: operation.address, id: operation.id, items: own.map(\.name), responses: [], isRun: false)
            var counts: [StatusPattern: Int] = [:]
            for status in Self.statuses(of: operation) {
                let found = own.map { runs[Question(place: $0.place, status: status)] ?? 0 }
                counts[status] = found.reduce(0, +)
            }
            entry.isRun = (1...5).contains { counts[.hundreds($0), default: 0] > 0 }
            entry.responses = operation.responses.map {
                Response(name: $0.name, isSeen: Self.isSeen($0, of: operation.responses, counts))
            }
            operations.append(entry)
        }
    }

    /// The numbers that the history has to give.
    package static func questions(_ items: [SpecifiedItem], _ document: Specification) -> [Question] {
        pairs(items, document).flatMap { operation, own in
            own.flatMap { item in statuses(of: operation).map { Question(place: item.place, status: $0) } }
        }
    }

    /// The operations with the requests that are about them.
    private static func pairs(
        _ items: [SpecifiedItem], _ document: Specification
    ) -> [(operation: Specification.Operation, own: [SpecifiedItem])] {
        var own: [Int: [SpecifiedItem]] = [:]
        let known = OperationIndex(document)
        for item in items where item.isCandidate {
            if let index = known.operation(of: item.request) { own[index, default: []].append(item) }
        }
        return document.operations.enumerated().map { ($0.element, own[$0.offset] ?? []) }
    }

    /// The statuses that are counted: all, and those that the document lists.
    private static func statuses(of operation: Specification.Operation) -> Set<StatusPattern> {
        Set((1...5).map { StatusPattern.hundreds($0) } + operation.responses.compactMap(\.status))
    }

    private static func isSeen(
        _ response: DocumentedResponse, of all: [DocumentedResponse], _ counts: [StatusPattern: Int]
    ) -> Bool {
        if let status = response.status {
            // Those of a code have a response of their own.
            let listed = all.compactMap(\.status).filter { other in
                if case .code(let code) = other { status != other && status.matches(code) } else { false }
            }
            return counts[status, default: 0] > listed.reduce(0) { $0 + counts[$1, default: 0] }
        }
        let hundreds = Set(all.compactMap(\.status).filter { if case .hundreds = $0 { true } else { false } })
        let codes = all.compactMap(\.status).filter { pattern in
            if case .code(let code) = pattern { !hundreds.contains { $0.matches(code) } } else { false }
        }
        let total = (1...5).map { StatusPattern.hundreds($0) }.reduce(0) { $0 + counts[$1, default: 0] }
        return total > (Array(hundreds) + codes).reduce(0) { $0 + counts[$1, default: 0] }
    }

    // MARK: Figures

    package var runCount: Int { operations.count(where: \.isRun) }
    package var requestCount: Int { operations.count { !$0.items.isEmpty } }
    package var responses: [Response] { operations.flatMap(\.responses) }

    /// The share of the operations that a run got a response of; all of none.
    package var share: Double { operations.isEmpty ? 1 : Double(runCount) / Double(operations.count) }

    package var json: JSONValue {
        [
            "operations": .array(operations.map(\.json)), "run": .number(runCount),
            "requested": .number(requestCount), "share": .number(share),
        ]
    }
}

extension SpecificationCoverage.Operation {
    /// `✓ GET /users/{id}  200 ✓  404 –`
    package var line: String {
        let mark = isRun ? "✓" : items.isEmpty ? "✗" : "–"
        let statuses = responses.map { "\($0.name) \($0.isSeen ? "✓" : "–")" }
        let note = items.isEmpty ? ["no request"] : isRun ? [] : ["no run"]
        return "\(mark) " + ([address] + statuses + note).joined(separator: "  ")
    }

    fileprivate var json: JSONValue {
        [
            "operation": .string(address), "id": .nullable(id), "requests": .strings(items), "run": .bool(isRun),
            "responses": .array(
                responses.map { response -> JSONValue in
                    ["status": .string(response.name), "seen": .bool(response.isSeen)]
                }),
        ]
    }
}
