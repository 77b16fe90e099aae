/// The form of a report.
enum ReportFormat: String, CaseIterable, Sendable {
    case junit, tap, html, json, github

    /// The names, for help: `junit, tap or html`.
    static var list: String {
        let names = allCases.map(\.rawValue)
        return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }

    /// Returns the text at the end of a run; nil for JSON, whose lines are collected while it runs.
    func text(_ runs: ReportedRuns) -> String? {
        switch self {
        case .junit: JUnitReport.text(runs)
        case .tap: TAPReport.text(runs)
        case .html: RunPage.text(runs, title: "Run of \(HistoryTime.local(runs.startedAt))")
        case .json: nil
        case .github: GitHubReport.text(runs)
        }
    }
}

/// A report, and the file in which it is wanted.
struct ReportTarget: Equatable, Sendable {
    var format: ReportFormat
    /// Nil for the standard output.
    var path: String?

    /// Reads `junit=results.xml`, and `github=-` or `github=/dev/stdout`; nil for anything else.
    init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let format = ReportFormat(rawValue: parts[0]) else { return nil }
        self.format = format
        path = parts[1] == "-" || PipedFile.descriptor(of: parts[1]) == 1 ? nil : parts[1]
    }
}

/// Texts of reports: of limited length, and times as other programs read them.
enum ReportText {
    /// In Unicode scalars, as all limits of texts here.
    static let maximumName = 200
    static let maximumMessage = 1000
    /// The part of a body that is shown.
    static let maximumExcerpt = 600

    /// Returns the text, or its start with an ellipsis.
    static func cut(_ text: String, to maximum: Int) -> String {
        // No text has more scalars than bytes.
        guard text.utf8.count > maximum else { return text }
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: maximum, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return text }
        return String(scalars[..<end]) + "…"
    }

    /// `0.410`: seconds with three decimals.
    static func seconds(_ duration: Duration) -> String {
        var text = MarkupWriter()
        text.add(seconds: duration)
        return text.string
    }

    /// Returns a path as it is below a folder; one elsewhere as it is.
    static func path(_ path: String, below folder: String) -> String {
        let prefix = folder.hasSuffix("/") ? folder : folder + "/"
        return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
    }
}
