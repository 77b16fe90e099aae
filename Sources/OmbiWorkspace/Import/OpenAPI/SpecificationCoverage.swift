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
