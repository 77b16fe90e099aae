/// A report, and the file in which it is wanted.
struct ReportTarget: Equatable, Sendable {
    var format: ReportFormat
    /// Nil for the standard output.
    var path: String?

    /// Reads `junit=results.xml` and `github=-`; nil for anything else.
    init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let format = ReportFormat(rawValue: parts[0]) else { return nil }
        self.format = format
        path = parts[1] == "-" ? nil : parts[1]
    }
}
