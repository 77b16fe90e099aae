/// The operation of an OpenAPI document that a request is based on. The document gives all that the file does not say,
/// so the file holds only what was added.
package struct SavedOperation: Sendable, Equatable {
    /// Its `operationId`, or `METHOD /path`.
    package var name: String
    /// The path of the document, which starts at the folder of the collection.
    package var specification: String
    /// The members that the file leaves out.
    var base: OperationBase
    /// The reason why the document does not give the operation; nil for one that it has.
    var problem: String?
    /// True where the document is outside the workspace and not read, as the collection has no grant for it.
    package internal(set) var isWithheld = false

    /// The document outside the workspace that was read, which may be gone by now; nil for one of the workspace.
    package internal(set) var source: Source?

    init(_ name: String, of specification: String, _ base: OperationBase) {
        (self.name, self.specification, self.base) = (name, specification, base)
    }

    /// The reason why the request cannot be sent; nil for one that can.
    package var failure: String? { problem ?? (base.isRead ? nil : "\(specification.excerpt(80)) was not read") }

    package var responses: [DocumentedResponse] { base.responses }

    /// Returns true for a header that the document has, whatever the file adds to it.
    func documents(header name: String) -> Bool {
        guard base.isRead else { return false }
        let name = name.lowercased()
        // All cookies are one header.
        if name == "cookie", base.members.contains(where: { $0.key == "cookies" }) { return true }
        let rows = base.members.first { $0.key == "headers" }?.value.elements ?? []
        return rows.contains { $0["name"]?.stringValue?.lowercased() == name }
    }
}

extension SavedOperation {
    /// Reads it from the object of a request; nil for a request that is based on none.
    init?(reading object: ObjectReader) {
        guard object.has("operation") else { return nil }
        let name = object.name("operation")
        var left: [JSONValue.Member] = []
        for (key, value) in [("request", name), ("method", "GET"), ("path", "")] where !object.has(key) {
            left.append(JSONValue.Member(key, .string(value)))
        }
        for key in Self.nullKeys(object) {
            guard SavedRequest.keys.contains(key), !left.contains(where: { $0.key == key }) else { continue }
            left.append(JSONValue.Member(key, .null))
        }
        if let expect = object.value("expect"), expect.kind == .object, let inner = ObjectReader(expect) {
            let keys = Self.nullKeys(inner)
            if !keys.isEmpty {
                left.append(JSONValue.Member("expect", .object(keys.map { JSONValue.Member($0, .null) })))
            }
        }
        let specification = object.requiredString("specification")
        if object.value("specification")?.kind == .string, specification.isEmpty {
            object.error("specification", "no file is named")
        }
        self.init(name, of: specification, OperationBase(left))
    }

    private static func nullKeys(_ object: ObjectReader) -> [String] {
        object.entries.filter { $0.value.kind == .null }.map(\.key)
    }
}

/// An operation as its document describes it, in the form of a request of a collection file.
final class OperationBase: Sendable, Equatable {
    let members: [JSONValue.Member]
    let responses: [DocumentedResponse]
    /// False before the document was read: the members are then what the file takes away, and the defaults of what it
    /// leaves out.
    let isRead: Bool

    /// Before the document was read.
    init(_ members: [JSONValue.Member]) { (self.members, responses, isRead) = (members, [], false) }

    /// - Parameter request: the operation as a request.
    init(_ request: SavedRequest, _ responses: [DocumentedResponse]) {
        if case .object(let members) = request.wholeJSON { self.members = members } else { members = [] }
        (self.responses, isRead) = (responses, true)
    }

    static func == (one: OperationBase, other: OperationBase) -> Bool {
        one === other
            || one.isRead == other.isRead && one.members == other.members && one.responses == other.responses
    }
}

/// The operations that the requests of a collection are based on, as their documents have them.
package final class SpecifiedOperations: Sendable, Equatable {
    struct Key: Hashable, Sendable {
        var specification: String
        var name: String
    }

    enum Entry: Sendable, Equatable {
        /// With the source that the document is; nil for one of the workspace.
        case found(OperationBase, Source?)
        /// The reason why there is none.
        case missing(String)
        /// The reason why the document was not read: it needs a grant.
        case withheld(String)
    }

    private let entries: [Key: Entry]
    /// The paths of the documents that were read, also of those that cannot be.
    package let files: [String]

    init(_ entries: [Key: Entry], files: [String]) { (self.entries, self.files) = (entries, files) }

    subscript(operation: SavedOperation) -> Entry? {
        entries[Key(specification: operation.specification, name: operation.name)]
    }

    package static func == (one: SpecifiedOperations, other: SpecifiedOperations) -> Bool {
        one === other || one.entries == other.entries && one.files == other.files
    }
}

extension SavedRequest {
    /// Takes over what the document says now; what the file adds stays. An operation that is gone keeps what it had.
    mutating func rebase(on operations: SpecifiedOperations) {
        guard var operation, let found = operations[operation] else { return }
        switch found {
        case .missing(let reason), .withheld(let reason):
            let isWithheld = if case .withheld = found { true } else { false }
            guard operation.problem != reason || operation.isWithheld != isWithheld else { return }
            (operation.problem, operation.isWithheld) = (reason, isWithheld)
            self.operation = operation
        case .found(let base, let source):
            guard base != operation.base || operation.problem != nil || operation.source != source else { return }
            guard case .object(let own) = json,
                var request = SavedRequest(json: .object(OperationMembers.merged(own, over: base.members)))
            else { return }
            request.operation = SavedOperation(operation.name, of: operation.specification, base)
            request.operation?.source = source
            (request.id, request.unknown) = (id, unknown)
            self = request
        }
    }

    init?(json: JSONValue) {
        guard let document = try? JSONDocument(checking: Bytes(json.compact.utf8)), let root = document.firstRoot,
            let object = ObjectReader(
                FileValue(
                    node: root, kind: document.kind(of: root), log: ProblemLog(file: "", document: document)))
        else { return nil }
        self.init(reading: object)
    }
}

extension Collection {
    /// Takes over what the documents of its requests say now.
    mutating func rebase(on operations: SpecifiedOperations) {
        overlay.operations = operations
        items.changeRequests { $0.rebase(on: operations) }
    }
}
