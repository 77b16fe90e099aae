@testable import OmbiWorkspace

/// The JSON Schemas of a collection file and of `NAME.local.json`, from the tables of members that the program reads them by.
enum CollectionSchema {
    /// The text of `collections/ombi.schema.json`.
    static var collection: String {
        let head: JSONValue = [
            "$schema": .string(draft), "title": "Ombi collection",
            "description": "Requests to an HTTP API and their environments. Unknown keys are kept.",
        ]
        let definitions = object(levels, parts, machine(isLocal: false), shared)
        return head.appending(Collection.members.schema()).appending(["$defs": definitions]).text
    }

    /// The text of `schema/local.schema.json`.
    static var local: String {
        let environments = Schema.list("Environments of this machine.", of: Schema.reference("environment"))
        let schema: JSONValue = [
            "$schema": .string(draft), "title": "Ombi local file",
            "description": .string(
                "NAME.local.json beside a collection: what belongs to one machine. It is never saved into the collection. "
                    + "See docs/environments.md."),
            "type": "object", "additionalProperties": false,
            "properties": [
                "$schema": Schema.text("The location of this schema, for editors."),
                "version": [
                    "const": .number(Collection.currentVersion), "description": "The version of the file format.",
                ],
                "variables": Schema.reference(
                    "namedValues",
                    "The values of {{name}} in every environment; they override those of the collection."),
                "secrets": Schema.reference("secrets"), "environments": environments,
            ],
            "$defs": object(machine(isLocal: true), shared),
        ]
        return schema.text
    }

    private typealias Definition = (String, JSONValue)

    private static let draft = "https://json-schema.org/draft/2020-12/schema"

    private static func object(_ groups: [Definition]...) -> JSONValue {
        .object(groups.joined().map { JSONValue.Member($0.0, $0.1) })
    }

    private static var localEnvironment: JSONValue {
        Environment.members.schema(
            "An environment of this machine: laid over that of the same name in the collection, part by part, or one more to "
                + "choose.")
    }

    private static var levels: [Definition] {
        [
            ("tags", Schema.list(of: Schema.text(pattern: "^[^\\s,!#]{1,60}$"))),
            (
                "items",
                Schema.list(
                    "Requests and folders, in the order of the tree.",
                    of: ["oneOf": [Schema.reference("folder"), Schema.reference("request")]])
            ),
            ("folder", Folder.members.schema("A group of requests and folders, and the settings that they share.")),
            ("request", SavedRequest.schema),
        ]
    }

    /// The parts of a request.
    private static var parts: [Definition] {
        [
            (
                "example",
                SavedExample.members.schema("A response that is kept with its request. It is never sent.")
            ),
            ("fallbackResponse", SavedFallback.schema), ("pages", SavedPages.schema),
            (
                "webSocket",
                SavedWebSocket.members.schema(
                    "Makes the request a WebSocket; without this, a path that begins with ws:// or wss:// does.")
            ),
            (
                "responseComparison",
                SavedComparison.members.schema("The way in which responses of this request are compared.")
            ),
            ("captures", captures), ("capture", Capture.schema), ("body", SavedBody.schema),
            ("part", MultipartPart.schema),
            ("expectation", Expectation.members.schema("The expected result of a run.")),
            ("headerExpectation", HeaderExpectation.schema), ("bodyExpectation", BodyExpectation.schema),
            ("valueType", ["enum": .strings(ValueType.names)]), ("comparison", NumberComparison.schema),
            ("bound", ["oneOf": [["type": "number"], ["type": "string"]]]), ("status", StatusPattern.schema),
            ("ageOrZero", Schema.text(age, pattern: "^([0-9]+d|\(number)\(units))$")),
        ]
    }

    /// The parts of an environment and of the levels above a request.
    private static var shared: [Definition] {
        [
            ("namedValues", namedValues), ("namedValue", namedValue),
            ("fields", Schema.list(of: Schema.reference("field"))), ("field", Field.members.schema()),
            ("authentication", SavedAuthentication.schema), ("path", path), ("traceURL", SavedTrace.urlSchema),
            ("objective", Objective.members.schema()), ("policy", RequestPolicy.members.schema()),
            ("connection", SavedConnection.members.schema()),
            ("duration", Schema.text(duration, pattern: "^\(positive)\(units)$")),
            ("durationOrZero", Schema.text(duration, pattern: "^\(number)\(units)$")),
            ("age", Schema.text(age, pattern: "^([0-9]*[1-9][0-9]*d|\(positive)\(units))$")),
        ]
    }

    private static let duration = "For example 250ms, 1.5s, 2m or 1h; at most 24h."
    private static let age = "For example 30m, 12h or 7d."
    private static let units = "(ms|s|m|h)"
    private static let number = "[0-9]+([.][0-9]{1,9})?"
    private static let positive = "([0-9]*[1-9][0-9]*([.][0-9]{1,9})?|0+[.][0-9]{0,8}[1-9][0-9]{0,8})"

    private static var path: JSONValue {
        Schema.text("The path of a file: relative to the folder of this one, or to the home folder after ~/.")
    }

    private static var namedValues: JSONValue {
        [
            "description": "Names and values: an object, or an array if a name occurs twice.",
            "oneOf": [
                ["type": "object", "additionalProperties": Schema.reference("namedValue")],
                Schema.reference("fields"),
            ],
        ]
    }

    private static var namedValue: JSONValue {
        [
            "description": "The value, or an object that describes or disables it.",
            "oneOf": [Schema.text(), Field.unnamed.schema()],
        ]
    }

    /// The parts that differ between the two files: an environment may be a part, and a secret may have its value.
    private static func machine(isLocal: Bool) -> [Definition] {
        let description =
            isLocal
            ? "Values of {{name}} that are masked wherever they would be shown. Those of the outermost object hold in all "
                + "environments, where nothing else gives the name."
            : "Values of {{name}} that are not in this file, and masked where they would be shown."
        return [
            ("environment", isLocal ? localEnvironment : Environment.schema),
            ("secrets", named("secret", description)), ("secret", Secret.schema(isLocal: isLocal)),
        ]
    }

    private static var captures: JSONValue {
        named(
            "capture",
            "Values that are taken from the response for {{name}} in other requests, which have this one sent first: an "
                + "object, or an array for duplicate names.")
    }

    /// Values of a definition by their names: an object, or an array of values with names.
    private static func named(_ definition: String, _ description: String) -> JSONValue {
        let withName: JSONValue = ["required": ["name"], "properties": ["name": Schema.name()]]
        return [
            "description": .string(description),
            "oneOf": [
                ["type": "object", "additionalProperties": Schema.reference(definition)],
                Schema.list(of: ["allOf": [Schema.reference(definition), withName]]),
            ],
        ]
    }
}
