/// A number and its noun: "1 file", "2 files".
enum Count {
    static func of(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
