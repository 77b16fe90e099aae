/// The traces of the runs of a request: if its attempts name one, and the page that shows it. Nil inherits from the
/// folders, the environment and the collection.
package struct SavedTrace: Sendable, Equatable {
    /// True to send each attempt with a `traceparent` of its own.
    package var isOn: Bool?
    /// The URL of the page, with `{traceId}` and perhaps `{spanId}` in it.
    package var url: String?

    package static let example = "on https://jaeger.example/trace/{traceId}"
    private static let form = "write for example \"https://jaeger.example/trace/{traceId}\""

    /// Returns this setting, with its nil values taken from `base`.
    package func merging(over base: SavedTrace) -> SavedTrace {
        SavedTrace(isOn: isOn ?? base.isOn, url: url ?? base.url)
    }

    /// Nil where it says nothing.
    private var orNil: SavedTrace? { self == SavedTrace() ? nil : self }
}

extension SavedTrace {
    /// Reads the URL of a page; nil, with an error in the log, for one that is none.
    static func url(_ key: String, in object: ObjectReader) -> String? {
        guard let text = object.string(key) else { return nil }
        guard let problem = problem(ofURL: text) else { return text }
        return object.refuse(key, problem)
    }

    static var urlSchema: JSONValue {
        Schema.text(
            "A URL with {traceId} in it, and perhaps {spanId}: \"https://jaeger.example/trace/{traceId}\".",
            pattern: "^[hH][tT][tT][pP][sS]?://.*\\{traceId\\}")
    }

    /// Returns what is wrong with the URL of a page; nil for nothing. A file of others may have written it.
    static func problem(ofURL text: String) -> String? {
        let isPlain = text.utf8.count <= maximumBytes && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        let isWeb = ["http://", "https://"].contains { text.lowercased().hasPrefix($0) }
        let shown = JSONValue.quoted(text.excerpt(80))
        let start = Origin.pathStart(of: text)
        guard isPlain, isWeb, Origin(text) != nil, !text[..<start].contains("@") else {
            return "\(shown) is no URL of a page; \(form)"
        }
        guard text[start...].contains(traceName) else { return "\(shown) has no {traceId} in its path; \(form)" }
        return nil
    }

    private static let maximumBytes = 2000
    private static let traceName = "{traceId}"

    /// Returns the URL of the page of an attempt; nil for a template that is none.
    static func page(_ template: String, _ trace: TraceContext) -> String? {
        guard problem(ofURL: template) == nil else { return nil }
        return template.replacing(traceName, with: trace.traceID).replacing("{spanId}", with: trace.spanID)
    }
}

extension SavedTrace {
    /// A line of text: `on https://jaeger.example/trace/{traceId}`; empty where nothing is set.
    package var text: String {
        [isOn.map { $0 ? "on" : "off" }, url].compactMap { $0 }.joined(separator: " ")
    }

    /// Reads a setting from that form.
    package init(_ text: String) throws(FieldError) {
        self.init()
        for word in text.split(separator: " ").map(String.init) {
            switch word {
            case "on", "yes", "true": isOn = true
            case "off", "no", "false": isOn = false
            default:
                if let problem = Self.problem(ofURL: word) { throw FieldError(problem) }
                url = word
            }
        }
    }

    /// Sets a setting from a line of text; an empty one removes it.
    package static func write(_ text: String, to trace: inout SavedTrace?) throws(FieldError) {
        trace = try SavedTrace(text).orNil
    }
}

/// The two members of the file, which are read, written and merged apart.
extension SettingLevel {
    var traceSwitch: Bool? {
        get { trace?.isOn }
        set { setTrace(SavedTrace(isOn: newValue, url: trace?.url)) }
    }

    var traceURL: String? {
        get { trace?.url }
        set { setTrace(SavedTrace(isOn: trace?.isOn, url: newValue)) }
    }

    private mutating func setTrace(_ changed: SavedTrace) { trace = changed == SavedTrace() ? nil : changed }
}
