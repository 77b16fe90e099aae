/// A request as a collection stores it: any text in it may hold `{{templates}}`.
package struct SavedRequest: Sendable, Equatable {
    package var id: ItemID
    package var name: String
    package var description: String
    package var tags: [String] = []
    /// Those of this request alone, which hold over those of its folders.
    package var variables: [Variable] = []
    package var method: RequestMethod
    /// Relative to the environment's host, with `:name` for path parameters; or an absolute `http(s)://` URL. A
    /// template is inserted as is: values that need encoding belong in path parameters or query items.
    package var path: String
    package var pathParameters: [Field]
    package var query: [Field]
    package var headers: [Field]
    /// Those that the request has of its own, in one header with those of the jar.
    package var cookies: [Field] = []
    @Rare package var authentication: SavedAuthentication?
    @Rare package var body: SavedBody?
    /// The coding in which the body is sent; nil sends it as it is.
    package var compression: RequestCompression?
    @Rare package var policy: RequestPolicy?
    @Rare package var connection: SavedConnection?
    @Rare package var objective: Objective?
    @Rare package var trace: SavedTrace?
    /// Taken from the response for the variables of other requests.
    package var captures: [Capture] = []
    @Rare package var expect: Expectation?
    /// False for one whose runs are not kept in the history.
    package var isRecorded = true
    /// True for one that runs of its folder leave out; chosen by itself it is sent.
    package var isDisabled = false
    /// The way in which its responses are compared; nil for that of all.
    @Rare package var comparison: SavedComparison?
    /// Stands in for a response that fails; nil for none.
    @Rare package var fallback: SavedFallback?
    /// Nil for a request that is none, unless its path begins with `ws://` or `wss://`.
    @Rare package var webSocket: SavedWebSocket?
    /// Nil for a request whose response is whole.
    @Rare package var pages: SavedPages?
    /// Responses to read; nil for none.
    @Rare package var examples: [SavedExample]?
    /// The operation of a document that gives what the file leaves out; nil for a request that is whole by itself.
    @Rare package internal(set) var operation: SavedOperation?
    /// The responses that the file of another tool describes, which is open as it is; in no file of a collection.
    @Rare var documented: [DocumentedResponse]?
    package var unknown = UnknownMembers()
    var methodForm = MethodForm()
    var unknownInAuthentication = UnknownMembers()
    var unknownInBody = UnknownMembers()
    var formerBodies = FormerKinds<SavedBody.Kind, SavedBody>()
    var formerCredentials = FormerKinds<SavedAuthentication.Kind, SavedAuthentication>()

    package init(
        id: ItemID = ItemID(), name: String, description: String = "", method: RequestMethod = .get, path: String,
        pathParameters: [Field] = [], query: [Field] = [], headers: [Field] = [],
        authentication: SavedAuthentication? = nil, body: SavedBody? = nil, policy: RequestPolicy? = nil,
        connection: SavedConnection? = nil, expect: Expectation? = nil
    ) {
        self.id = id
        self.name = name
        self.description = description
        self.method = method
        self.path = path
        self.pathParameters = pathParameters
        self.query = query
        self.headers = headers
        self.authentication = authentication
        self.body = body
        self.policy = policy
        self.connection = connection
        self.expect = expect
    }
}

/// The form of GET in a file: its name, or no method at all. Both mean the same, so all forms are equal.
struct MethodForm: Sendable, Equatable {
    var isLeftOut = false

    static func == (_: MethodForm, _: MethodForm) -> Bool { true }

    func text(_ method: RequestMethod) -> String? { isLeftOut && method == .get ? nil : method.rawValue }
}

extension SavedRequest {
    /// The responses that a document describes; empty without one.
    package var documentedResponses: [DocumentedResponse] { operation?.responses ?? documented ?? [] }

    /// True for a WebSocket. Asked for each row of the tree, most of which have a path.
    package var isWebSocket: Bool {
        webSocket != nil || path.utf8.first != UInt8(ascii: "/") && Origin.isWebSocket(target.text)
    }
}

extension SavedRequest: SavedObject, SettingLevel {
    static let members = Members<SavedRequest>(first, address, content, settings, results, runs)

    /// The members of a request that is based on no operation.
    private static let ownMembers = members.without("operation", "specification")

    init(reading object: ObjectReader) {
        // Not by the other initializer, whose result would be copied.
        (id, name, description, method, path) = (ItemID(), "", "", .get, "")
        (pathParameters, query, headers) = ([], [], [])
        var object = object
        if let based = SavedOperation(reading: object) {
            object.isPartial = true
            object.log.hasOperations = true
            name = based.name
            operation = based
        }
        methodForm.isLeftOut = !object.isPartial
        unknown = object.read(object.isPartial ? Self.members : Self.ownMembers, into: &self)
        if compression != nil, body?.isStreamed ?? false { object.error("compression", SavedBody.compressionReason) }
    }

    /// The object in the file; of a request that is based on an operation, what differs from that.
    var json: JSONValue {
        let whole = wholeJSON
        guard let base = operation?.base, case .object(let members) = whole else { return whole }
        return .object(OperationMembers.difference(members, from: base.members))
    }

    /// The object with all members.
    var wholeJSON: JSONValue { Self.members.json(self, unknown) }

    static var schema: JSONValue {
        members.schema(
            "A request. Any text in it may hold {{templates}}.", required: [],
            rules: ["anyOf": [["required": ["request", "path"]], ["required": ["operation", "specification"]]]])
    }
}

/// The expectations of a request as rows of names and values.
extension SavedRequest {
    package var expectedHeaders: [Field] {
        get { expect?.headerRows ?? [] }
        set { changeExpectation { $0.headerRows = newValue } }
    }

    package var expectedBody: [Field] {
        get { expect?.bodyRows ?? [] }
        set { changeExpectation { $0.bodyRows = newValue } }
    }

    private mutating func changeExpectation(_ change: (inout Expectation) -> Void) {
        var changed = expect ?? Expectation()
        change(&changed)
        expect = changed == Expectation() ? nil : changed
    }
}

extension SavedRequest {
    /// Expects a condition of the values at a path: together with others there, in place of one of the same kind.
    package mutating func expect(_ condition: ValueCondition, at path: String) {
        changeExpectation { expectation in
            guard let index = expectation.body.firstIndex(where: { $0.path == path }) else {
                let conditions = condition == .exists(true) ? [] : [condition]
                return expectation.body.append(BodyExpectation(path, conditions))
            }
            if condition != .exists(true) { expectation.body[index].add(condition) }
        }
    }
}

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
    package mutating func changeBody(to kind: SavedBody.Kind?) {
        body = formerBodies.value(replacing: body, of: body?.kind, by: kind) {
            SavedBody($0)
        } converting: {
            $0.converted(to: $1)
        }
    }

    /// Changes the kind of the credentials; the last ones of that kind come back.
    package mutating func changeAuthentication(to kind: SavedAuthentication.Kind?) {
        authentication = formerCredentials.value(replacing: authentication, of: authentication?.kind, by: kind) {
            SavedAuthentication($0)
        } converting: { _, kind in
            SavedAuthentication(kind)
        }
    }
}
