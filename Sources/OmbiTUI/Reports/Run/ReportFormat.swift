/// The form of a report of `ombi run`.
enum ReportFormat: String, CaseIterable, Sendable {
    case junit, tap, html, json, github
}
