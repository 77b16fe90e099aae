import OmbiCore
import OmbiDocument
import OmbiTerminal

/// An event of a stream, for the output of a headless run.
struct StreamedEvent: Equatable, Sendable {
    /// Counted from 1.
    var number: Int
    /// The time since the start of the attempt, and since the event before; nil where they are not known.
    var time: Duration?
    var gap: Duration?
    /// Nil for what has no types, such as lines of JSON.
    var type: String?
    var id: String?
    var data: String
    /// The number of events of the server up to this one; nil for what this side says in a conversation, and for its steps.
    var received: Int?

    /// The data as JSON, or as a string where it is something else.
    var value: JSONValue { (try? JSONValue.parse(data)) ?? .string(data) }

    /// `0.081 s    +80 ms  tick #1  {"tick":1}`
    var row: String {
        let time = time.map { TimeText.seconds($0, places: 3) } ?? "–"
        let gap = gap.map { "+" + TimeText.duration($0) } ?? ""
        let name = type.map { $0 + (id.map { " #\($0)" } ?? "") + "  " } ?? ""
        let text = data.contains(where: \.isNewline) ? String(data.map { $0.isNewline ? "⏎" : $0 }) : data
        return SafeText.line(Self.leading(time, 9) + Self.leading(gap, 9) + "  " + name + text)
    }

    private static func leading(_ text: String, _ columns: Int) -> String {
        String(repeating: " ", count: max(0, columns - text.count)) + text
    }
}
