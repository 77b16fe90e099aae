/// The keys of a request in a file.
///
/// Collections have thousands of requests: the closures of what most of them have capture nothing.
extension SavedRequest {
    static let first: [Member<SavedRequest>] = [
        Member(
            "request", Schema.name("The name of the request; that of its operation by default."), isRequired: true,
            content: .unsent, read: { $0.name = $1.name($2) }, write: { .string($0.name) }),
        // Read before the others, as the operation says what they may leave out.
        .apart(
            "operation",
            Schema.name(
                "The operation of an OpenAPI document that the request is based on: its operationId, or METHOD /path. The "
                    + "document gives what the request does not say; rows are added by their names, and null takes a key of "
                    + "the document away."), write: { ($0.operation?.name).map(JSONValue.string) }),
        .apart(
            "specification",
            Schema.name(
                "The path of that document, which starts at the folder of this file. One outside the workspace is read once it "
                    + "is allowed."), write: { ($0.operation?.specification).map(JSONValue.string) }),
        Member(
            "description", Schema.text("The purpose of the request."), content: .unsent,
            read: { $0.description = $1.string($2) ?? "" },
            write: { JSONValue.optional($0.description) }),
        Member(
            "tags", Schema.reference("tags", "Words by which the request is found, and chosen: ombi run --tag smoke."),
            read: { $0.tags = $1.tags($2) }, write: { $0.tags.isEmpty ? nil : .strings($0.tags) }),
        Member(
            "variables",
            Schema.reference(
                "namedValues", "The values of {{name}} in this request; they override those of its folders."),
            content: .variables, read: { $0.variables = $1.fields($2) }, write: { JSONValue.named($0.variables) }),
    ]

    static let address: [Member<SavedRequest>] = [
        Member("method", methodSchema) {
            $0.method = method($2, in: $1)
            $0.methodForm.isLeftOut = false
        } write: {
            $0.methodForm.text($0.method).map(JSONValue.string)
        },
        Member(
            "path",
            Schema.text(
                "The path below the host of the environment, with :name for path parameters; or a whole http(s) URL."),
            isRequired: true, content: .templates, read: { $0.path = $1.string($2) ?? "" }, write: { .string($0.path) }),
        Member(
            "pathParameters",
            Schema.reference("namedValues", "The values of :name in the path. They are percent-encoded."),
            content: .values, read: { $0.pathParameters = $1.fields($2) }, write: { JSONValue.named($0.pathParameters) }
        ),
        Member(
            "query", Schema.reference("fields", "The query of the URL. Values are percent-encoded."),
            content: .rows, read: { $0.query = $1.list($2, of: Field.self) }, write: { JSONValue.list($0.query) }),
        Member(
            "headers", Schema.reference("fields", "The headers of the request, in order."),
            content: .headers, read: { $0.headers = $1.list($2, of: Field.self) }, write: { JSONValue.list($0.headers) }
        ),
        Member(
            "cookies",
            Schema.reference(
                "fields", "The cookies of the request, which are sent in one header with those of the jar."),
            content: .rows, read: { $0.cookies = $1.list($2, of: Field.self) }, write: { JSONValue.list($0.cookies) }),
    ]

    static let content: [Member<SavedRequest>] = [
        .authentication(nullable("authentication")),
        Member("body", nullable("body"), content: .body) {
            guard let inner = $1.object($2) else { return }
            $0.body = SavedBody(reading: inner)
            $0.unknownInBody = inner.unknown(besides: SavedBody.index)
        } write: {
            $0.body?.json($0.unknownInBody)
        },
        .choice(
            "compression",
            "The coding in which the body is sent, with its Content-Encoding. Not for files and multipart forms.",
            of: RequestCompression.self, { $0.compression = $1 }, { $0.compression }),
    ]

    static let settings = Member<SavedRequest>.settings(
        policy: "Retries and time limits of this request.", connection: "The way to the server of this request.",
        objective: "The success that is promised for this request.", traced: "this request")

    static let results: [Member<SavedRequest>] = [
        Member(
            "capture", Schema.reference("captures"), content: .unsent,
            read: { $0.captures = $1.named($2, of: Capture.self) },
            write: { JSONValue.named($0.captures) }),
        Member("expect", nullable("expectation"), content: .expectations) {
            guard var inner = $1.object($2) else { return }
            inner.isPartial = $1.isPartial
            $0.expect = Expectation(reading: inner)
        } write: {
            $0.expect?.json
        },
        .object(
            "compare", Schema.reference("responseComparison"), as: SavedComparison.self, { $0.comparison = $1 },
            { $0.comparison }),
    ]

    static let runs: [Member<SavedRequest>] = [
        .flag(
            "record", "False leaves the runs of this request out of the history.", default: true,
            { $0.isRecorded = $1 }, { $0.isRecorded }),
        .flag(
            "disabled", "True leaves this request out of runs of its folder; chosen by itself it is sent.",
            default: false, { $0.isDisabled = $1 }, { $0.isDisabled }),
        .object(
            "webSocket", Schema.reference("webSocket"), as: SavedWebSocket.self, content: .templates,
            { $0.webSocket = $1 },
            { $0.webSocket }),
        .object("pages", Schema.reference("pages"), as: SavedPages.self, { $0.pages = $1 }, { $0.pages }),
        .object(
            "fallbackResponse", Schema.reference("fallbackResponse"), as: SavedFallback.self, { $0.fallback = $1 },
            { $0.fallback }),
        Member(
            "examples", Schema.list("Responses to read, and to hand on.", of: Schema.reference("example")),
            read: { $0.examples = $1.list($2, of: SavedExample.self) }, write: { JSONValue.list($0.examples ?? []) }),
    ]

    private static var methodSchema: JSONValue {
        let names = RequestMethod.allCases.map(\.rawValue)
        return [
            "description":
                "The HTTP method; GET by default. Any other may be written, too, such as PURGE or PROPFIND.",
            "anyOf": [["enum": .strings(names)], Schema.text(pattern: "^[-!#$%&'*+.^_`|~0-9A-Z]+$")],
        ]
    }

    private static func nullable(_ definition: String) -> JSONValue {
        ["anyOf": [Schema.reference(definition), ["type": "null"]]]
    }

    private static func method(_ key: String, in object: ObjectReader) -> RequestMethod {
        guard let text = object.text(key, of: RequestMethod.allCases.map(\.rawValue)) else { return .get }
        do throws(FieldError) {
            let method = try RequestMethod(text: text)
            if !method.typoHint.isEmpty {
                object.warning(key, "unknown method \(JSONValue.quoted(text))\(method.typoHint)")
            }
            return method
        } catch {
            object.error(key, error.message)
            return .get
        }
    }
}

extension SavedRequest {
    /// The settings that a level above a request does not have, as lines of text.
    package static let fields: [FieldDescriptor<SavedRequest>] = [
        FieldDescriptor("history", choices: [FieldChoice("yes", note: "runs are kept"), FieldChoice("no")]) {
            $0.isRecorded ? "yes" : "no"
        } write: {
            $0.isRecorded = $1 == "yes"
        },
        FieldDescriptor(
            "folder runs",
            choices: [
                FieldChoice("yes", note: "sent with its folder"),
                FieldChoice("no", note: "disabled: sent by itself only"),
            ]
        ) {
            $0.isDisabled ? "no" : "yes"
        } write: {
            $0.isDisabled = $1 == "no"
        },
        FieldDescriptor("may differ", example: "$.updatedAt $.items[*].id") {
            $0.ignoredPaths.joined(separator: " ")
        } write: { request, text throws(FieldError) in
            request.ignoredPaths = try SavedComparison.list(text)
        },
        FieldDescriptor(
            "compression",
            choices: [FieldChoice("none", note: "the body is sent as it is")]
                + RequestCompression.allCases.map { FieldChoice($0.rawValue) }
        ) {
            $0.compression?.rawValue ?? "none"
        } write: {
            $0.compression = RequestCompression(rawValue: $1)
        },
    ]
}

extension MemberContent {
    /// Returns the content of a key. A key has the same one at all levels.
    static func of(_ key: String) -> MemberContent { ofKeys[key] ?? .plain }

    private static let ofKeys: [String: MemberContent] = {
        let rows =
            Collection.members.contents + Folder.members.contents + Environment.members.contents
            + SavedRequest.members.contents
        return Dictionary(rows) { first, _ in first }
    }()
}

/// The cookies of a request, which are one header.
extension SavedRequest {
    /// The headers that are sent, with the cookies behind those of a written `Cookie`.
    var sentHeaders: [Field] {
        let pairs = cookies.filter { $0.enabled && !$0.name.isEmpty }.map { "\($0.name)=\($0.value)" }
        guard !pairs.isEmpty else { return headers }
        let text = pairs.joined(separator: "; ")
        var sent = headers
        if let index = sent.firstIndex(where: { $0.enabled && $0.name.lowercased() == "cookie" }) {
            sent[index].value += (sent[index].value.isEmpty ? "" : "; ") + text
        } else {
            sent.append(Field("Cookie", text))
        }
        return sent
    }
}

extension Field {
    /// Throws for a name or a value of a cookie that ends too early.
    package static func checkCookie(_ text: String, isName: Bool) throws(FieldError) {
        // By scalars: a mark after it makes another character of it.
        if text.unicodeScalars.contains(";") { throw FieldError("a ; would end the cookie") }
        if isName, text.unicodeScalars.contains("=") { throw FieldError("a = would end the name of the cookie") }
    }
}
