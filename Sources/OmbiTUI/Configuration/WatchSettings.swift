import OmbiWorkspace

/// The settings of watches.
struct WatchSettings: Equatable, Sendable {
    /// The program that a change runs, and its arguments; empty for none.
    var command: [String] = []

    static let keyNames = ["command"]
}

extension WatchSettings {
    init(reading object: ObjectReader) {
        object.warnOfUnknown(besides: Self.keyNames)
        guard let value = object.value("command") else { return }
        let words = value.kind == .array ? value.elements.compactMap(\.string) : []
        guard !words.isEmpty, words.count == value.elements.count, !words[0].isEmpty else {
            object.error("command", "expected a program and its arguments, such as [\"notify-send\", \"Ombi\"]")
            return
        }
        command = words
    }
}
