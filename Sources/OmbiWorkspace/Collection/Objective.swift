/// The share of the runs of a request that is to succeed. Nil inherits from the folders, the environment and the
/// collection.
package struct Objective: Sendable, Equatable {
    /// In percent, above 0 and below 100.
    package var success: Double?
    /// The time in which a run is to pass; nil for its SLA.
    package var within: Duration?
    /// The time whose runs are counted.
    package var window: Duration?
    package var unknown = UnknownMembers()

    /// The window where none is set: a week.
    package static let standardWindow = Duration.seconds(7 * 86_400)
    package static let example = "99.5% within 500ms over 7d"

    package init(success: Double? = nil, within: Duration? = nil, window: Duration? = nil) {
        (self.success, self.within, self.window) = (success, within, window)
    }

    /// From 0 to 1; nil where no level sets one.
    package var share: Double? { success.map { $0 / 100 } }

    /// Returns this objective, with its nil values taken from `base`.
    package func merging(over base: Objective) -> Objective {
        var merged = self
        merged.success = success ?? base.success
        merged.within = within ?? base.within
        merged.window = window ?? base.window
        return merged
    }
}

extension Objective: SavedObject {
    static let members = Members<Objective>([
        Member(
            "success",
            Schema.text(
                "The share of runs that is to succeed: \"99.5%\".", pattern: PercentText.pattern(isBelow100: true)),
            read: { $0.success = success($2, in: $1) }, write: { $0.percentText.map(JSONValue.string) }),
        .duration(
            "within", "The time in which a run is to pass; its SLA by default.", { $0.within = $1 }, { $0.within }),
        .age("window", "The time whose runs are counted; 7d by default.", { $0.window = $1 }, { $0.window }),
    ])
    private static let form = "write a percentage above 0 and below 100, such as \"99.5%\""

    init(reading object: ObjectReader) {
        self.init()
        unknown = object.read(Self.members, into: &self)
    }

    private static func success(_ key: String, in object: ObjectReader) -> Double? {
        guard let text = object.string(key, problem: { _ in form }) else { return nil }
        return percent(text) ?? object.refuse(key, "\(JSONValue.quoted(text)) is no share of runs; \(form)")
    }

    private static func percent(_ text: String) -> Double? {
        PercentText.parse(text).flatMap { $0 < 100 ? $0 : nil }
    }

    private var percentText: String? { success.map { JSONValue.number($0).compact + "%" } }
}

extension Objective {
    /// A line of text: `99.5% within 500ms over 7d`; empty where nothing is set.
    package var text: String {
        let parts = [
            percentText, within.map { "within \(DurationText.format($0))" },
            window.map { "over \(AgeText.format($0))" },
        ]
        return parts.compactMap { $0 }.joined(separator: " ")
    }

    package init(_ text: String) throws(FieldError) {
        self.init()
        var words = text.split(separator: " ").map(String.init)[...]
        while let word = words.popFirst() {
            switch word {
            case "within": within = try FieldText.duration(words.popFirst() ?? "?")
            case "over": window = try FieldText.age(words.popFirst() ?? "?")
            default:
                guard let percent = Self.percent(word) else {
                    throw FieldError("\"\(word)\" is no share of runs; write for example \(Self.example)")
                }
                success = percent
            }
        }
    }

    /// Sets an objective from a line of text; an empty one removes it.
    package static func write(_ text: String, to objective: inout Objective?) throws(FieldError) {
        var edited = try Objective(text)
        edited.unknown = objective?.unknown ?? UnknownMembers()
        objective = edited == Objective() ? nil : edited
    }
}
