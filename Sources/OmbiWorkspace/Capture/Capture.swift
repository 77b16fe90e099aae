/// A value that a request takes from its response for a variable, which other requests may use.
package struct Capture: Sendable, Equatable {
    package var name: String
    package var source: Source
    /// True for a value that is masked wherever a secret is.
    package var isSecret: Bool
    /// The age from which on the request is sent again for the value; nil for none.
    package var maximumAge: Duration?
    /// A disabled capture stays in the file and captures nothing.
    package var enabled: Bool
    package var unknown = UnknownMembers()

    package init(
        _ name: String, _ source: Source, isSecret: Bool = false, maximumAge: Duration? = nil, enabled: Bool = true
    ) {
        self.name = name
        self.source = source
        self.isSecret = isSecret
        self.maximumAge = maximumAge
        self.enabled = enabled
    }
}

extension Capture: NamedObject {
    static let members = Members<Capture>([
        .name("name", nil, isRequired: true, { $0.name = $1 }, { $0.name }),
        .alternative(
            "path", Schema.name("A JSONPath (RFC 9535) that selects one value of the body."),
            write: { if case .path(let path) = $0.source { .string(path) } else { nil } }),
        .alternative(
            "header", Schema.name("The name of a header."),
            write: { if case .header(let name) = $0.source { .string(name) } else { nil } }),
        .alternative(
            "cookie", Schema.name("The name of a cookie that the response sets."),
            write: { if case .cookie(let name) = $0.source { .string(name) } else { nil } }),
        .alternative(
            "status", ["const": true, "description": "The status code."],
            write: { $0.source == .status ? .bool(true) : nil }),
        .alternative(
            "regex",
            Schema.name("A regular expression; its first group in the text of the body, or all that it matches."),
            write: { if case .regex(let pattern) = $0.source { .string(pattern) } else { nil } }),
        .flag(
            "secret", "True masks the value wherever a secret is masked.", default: false, { $0.isSecret = $1 },
            { $0.isSecret }),
        .age(
            "maximumAge", "The age from which on the request is sent again for the value; none by default.",
            allowsZero: true, { $0.maximumAge = $1 }, { $0.maximumAge }),
        .flag("enabled", "False captures nothing.", default: true, { $0.enabled = $1 }, { $0.enabled }),
    ])
    static let unnamed = members.without("name")
    static let objectForm = "{ \"path\": \"$.token\" }"

    static var schema: JSONValue {
        unnamed.schema(
            "The part of the response, and how long its value holds.",
            rules: ["oneOf": .array(Source.keys.map { ["required": .strings([$0])] })])
    }

    init(reading object: ObjectReader, name: String?) {
        self.init(name ?? "", .status)
        unknown = object.read(name == nil ? Self.members : Self.unnamed, into: &self)
        source = Self.source(in: object, self.name)
        do throws(FieldError) { try Field.checkVariableName(self.name) } catch {
            object.log.error(at: object.offset, "the capture \(JSONValue.quoted(self.name)): \(error.message)")
        }
    }

    private static func source(in object: ObjectReader, _ name: String) -> Source {
        let errors = object.log.errorCount
        let keys = Source.keys.filter(object.has)
        guard keys.count == 1 else {
            let found = keys.isEmpty ? "" : ", not " + keys.map { "\"\($0)\"" }.joined(separator: " and ")
            object.log.error(
                at: object.offset,
                "the capture \(JSONValue.quoted(name)) has one of \"path\", \"header\", \"cookie\", \"status\" and "
                    + "\"regex\"\(found); write for example \(objectForm)")
            return .status
        }
        let source: Source
        switch keys[0] {
        case "path": source = .path(object.name("path"))
        case "header": source = .header(object.name("header"))
        case "cookie": source = .cookie(object.name("cookie"))
        case "regex": source = .regex(object.name("regex"))
        default:
            if object.bool("status") == false { object.error("status", "write true, or leave the capture out") }
            return .status
        }
        // Nothing more is said of what is no text, or empty.
        guard errors == object.log.errorCount else { return source }
        do throws(FieldError) { try source.check() } catch { object.error(keys[0], error.message) }
        return source
    }
}

extension Capture {
    /// The parts other than name and source, which are edited as a line of text.
    package static let fields: [FieldDescriptor<Capture>] = [
        FieldDescriptor("secret", flag: \.isSecret, yes: "masked wherever a secret is"),
        FieldDescriptor("maximum age") {
            $0.maximumAge.map(AgeText.format) ?? ""
        } write: { capture, text throws(FieldError) in
            capture.maximumAge = try FieldText.age(text, allowsZero: true)
        },
    ]
}
