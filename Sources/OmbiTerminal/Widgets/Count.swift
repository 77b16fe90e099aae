/// A number and its noun: "1 file", "2 files".
package enum Count {
    package static func of(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
