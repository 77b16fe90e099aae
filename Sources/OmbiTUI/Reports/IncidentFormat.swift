import OmbiWorkspace

/// The form in which an incident is handed over.
enum IncidentFormat: String, CaseIterable, Sendable {
    case markdown, html, har

    /// The ending of its file.
    var ending: String { self == .markdown ? "md" : rawValue }

    func text(_ incident: Incident) -> String {
        switch self {
        case .markdown: MarkdownReport.text(incident.blocks())
        case .html: HTMLReport.text(incident.blocks(), title: incident.title())
        case .har:
            ArchiveJSON.start + incident.runs.flatMap(ArchiveJSON.entries).joined(separator: ",\n") + ArchiveJSON.end
                + "\n"
        }
    }
}
