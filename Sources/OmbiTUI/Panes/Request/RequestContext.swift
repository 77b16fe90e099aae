import OmbiTerminal
import OmbiWorkspace

/// Facts about the selected request that cost too much to be found out for every frame.
struct RequestContext: Equatable, Sendable {
    private var item: TreeNode?
    private var revision: Int?
    private var tab: RequestTab?
    private var bodyText: BodyText?
    /// The names that a template may use here.
    private(set) var names: [String]?
    /// The URL with everything filled in, where that differs from the one that is written; secrets are masked.
    private(set) var address: String?
    /// The URL that the header names the host of; nil for that of the environment.
    private(set) var target: String?
    /// The rows of the tab when it was last looked at.
    private(set) var rowCount = 0

    /// Looks the facts up again where something has changed.
    mutating func follow(_ workbench: Workbench, _ tab: RequestTab) {
        guard !isCurrent(workbench, tab) else { return }
        item = workbench.subjectNode
        revision = workbench.revision
        self.tab = tab
        bodyText = tab == .body ? BodyText(workbench.subject?.body) : nil
        rowCount = RequestForm.rows(of: tab, in: workbench).count + (bodyText?.buffer.lineCount ?? 0)
        names = workbench.templateNames
        (address, target) = (nil, nil)
        guard workbench.shared == nil, let request = workbench.request else { return target = workbench.host }
        let written = (request.isAbsolute ? "" : workbench.environment?.host ?? "") + request.path
        let resolved = workbench.address
        address = resolved == written ? nil : resolved
        // A template at the start may stand for a host.
        target = resolved ?? (request.isAbsolute || request.path.hasPrefix("{{") ? request.path : nil)
    }

    /// The text of the body in the Body tab.
    func body(in workbench: Workbench, _ tab: RequestTab) -> BodyText? {
        guard tab == .body else { return nil }
        return isCurrent(workbench, tab) ? bodyText : BodyText(workbench.subject?.body)
    }

    private func isCurrent(_ workbench: Workbench, _ tab: RequestTab) -> Bool {
        item == workbench.subjectNode && revision == workbench.revision && self.tab == tab
    }
}
