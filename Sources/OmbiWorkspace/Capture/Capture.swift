import OmbiCore
import OmbiDocument

/// A value that a request takes from its response for a variable, which other requests may use.
public struct Capture: Sendable, Equatable {
    /// The name of the variable.
    public var name: String
    public var source: Source
    /// True for a value that is masked wherever a secret is.
    public var isSecret: Bool
    /// The age from which on the request is sent again for the value; nil for none.
    public var maximumAge: Duration?
    /// A disabled capture stays in the file and captures nothing.
    public var enabled: Bool
    public var unknown = UnknownMembers()

    public init(
        _ name: String, _ source: Source, isSecret: Bool = false, maximumAge: Duration? = nil, enabled: Bool = true
    ) {
        self.name = name
        self.source = source
        self.isSecret = isSecret
        self.maximumAge = maximumAge
        self.enabled = enabled
    }
}

extension Capture: JSONObjectConvertible {
    static let keys = ["name"] + Source.keys + ["secret", "maximumAge", "enabled"]

    init(reading object: ObjectReader) {
        self.init(reading: object, name: object.name("name"), keys: Self.keys)
    }

    /// Reads the value of a capture whose name is its key in an object.
    init(reading object: ObjectReader, name: String) {
        self.init(reading: object, name: name, keys: Array(Self.keys.dropFirst()))
    }

    private init(reading object: ObjectReader, name: String, keys: [String]) {
        self.init(
            name, Self.source(in: object, name), isSecret: object.bool("secret") ?? false,
            maximumAge: object.age("maximumAge", allowsZero: true), enabled: object.bool("enabled") ?? true)
        do throws(FieldError) { try Field.checkVariableName(name) } catch {
            object.log.error(at: object.offset, "the capture \(JSONValue.quoted(name)): \(error.message)")
        }
        unknown = object.unknown(besides: keys)
    }

    private static func source(in object: ObjectReader, _ name: String) -> Source {
        let keys = Source.keys.filter(object.has)
        guard keys.count == 1 else {
            let found = keys.isEmpty ? "" : ", not " + keys.map { "\"\($0)\"" }.joined(separator: " and ")
            object.log.error(
                at: object.offset,
                "the capture \(JSONValue.quoted(name)) has one of \"path\", \"header\", \"cookie\", \"status\" and "
                    + "\"regex\"\(found); write for example { \"path\": \"$.token\" }")
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
        do throws(FieldError) { try source.check() } catch { object.error(keys[0], error.message) }
        return source
    }

    var json: JSONValue {
        var writer = ObjectWriter()
        writer.add("name", text: name)
        return members(writer)
    }

    var valueJSON: JSONValue { members(ObjectWriter()) }

    private func members(_ writer: ObjectWriter) -> JSONValue {
        var writer = writer
        switch source {
        case .path(let path): writer.add("path", text: path)
        case .header(let name): writer.add("header", text: name)
        case .cookie(let name): writer.add("cookie", text: name)
        case .status: writer.add("status", .bool(true))
        case .regex(let pattern): writer.add("regex", text: pattern)
        }
        writer.add("secret", isSecret ? .bool(true) : nil)
        writer.add("maximumAge", age: maximumAge)
        writer.add("enabled", enabled ? nil : .bool(false))
        return writer.object(unknown)
    }
}

extension Capture {
    /// The parts beside name and source that are edited as a line of text.
    public static let fields: [FieldDescriptor<Capture>] = [
        FieldDescriptor(
            "secret", choices: [FieldChoice("no"), FieldChoice("yes", note: "masked wherever a secret is")]
        ) {
            $0.isSecret ? "yes" : "no"
        } write: {
            $0.isSecret = $1 == "yes"
        },
        FieldDescriptor("maximum age") {
            $0.maximumAge.map(AgeText.format) ?? ""
        } write: { capture, text throws(FieldError) in
            capture.maximumAge = try FieldText.age(text, allowsZero: true)
        },
    ]
}
