/// Facts about the selected request that cost too much to be found out for every frame.
struct RequestContext: Equatable, Sendable {
    private struct Captures: Equatable, Sendable {
        var file: Int?
        var revision: Int
        var index: CaptureIndex?
    }

    /// A folder in a collection, whose requests share what they inherit.
    private struct Place: Equatable, Sendable {
        var file: Int?
        var folder: ItemID?
        /// True for the settings of the folder or the collection, which inherit less.
        var isOfSettings: Bool
        var own: [String]
        var revision: Int

        init(_ workbench: Workbench) {
            (file, revision) = (workbench.shownContextIndex, workbench.revision)
            (folder, isOfSettings) = (workbench.folders?.last?.id, workbench.shared != nil)
            own = workbench.request?.variables.map(\.name) ?? []
        }
    }

    private var item: TreeNode?
    private var revision: Int?
    private var tab: RequestTab?
    private var formRows: [FormRow] = []
    private var tabTitles: [String] = []
    private var bodyText: BodyText?
    /// The requests of the file that capture something, which only an edit changes.
    private var captures: Captures?
    private var place: Place?
    /// The levels that the subject inherits from: those of the place.
    private var inheritance: Inheritance?
    /// The names that a template may use here: those of the place.
    private(set) var names: [String]?
    /// The URL as it is written, behind the host that shows before it; empty for settings.
    private(set) var written = ""
    /// The width of the line with the method and that URL.
    private(set) var columns = 0
    /// The URL with everything filled in, where that differs from the one that is written; secrets are masked.
    private(set) var address: String?
    /// The reason why the URL cannot be sent.
    private(set) var problem: String?
    /// The variables of a collection without a value, a sentence each.
    private(set) var undefined: [String] = []
    /// The URL that the header names the host of; nil for that of the environment.
    private(set) var target: String?

    /// Looks the facts up again where something has changed.
    mutating func follow(_ workbench: Workbench, _ tab: RequestTab) {
        guard !isCurrent(workbench, tab) else { return }
        let place = Place(workbench)
        if self.place != place {
            (self.place, inheritance) = (place, workbench.inheritance)
            names = workbench.templateNames(captures(workbench))
        }
        (formRows, tabTitles) = (Self.rows(workbench, tab, inheritance), Self.titles(workbench, inheritance))
        bodyText = tab == .body ? BodyText(workbench.subject?.body) : nil
        self.tab = tab
        if item != workbench.subjectNode || revision != workbench.revision { followRequest(workbench) }
        item = workbench.subjectNode
        revision = workbench.revision
    }

    private mutating func followRequest(_ workbench: Workbench) {
        (written, columns, address, problem, target) = ("", 0, nil, nil, nil)
        undefined = Self.undefined(workbench)
        guard workbench.shared == nil, let request = workbench.request else { return target = workbench.host }
        problem = request.path == Workbench.emptyURL ? nil : request.target.problem
        let host = Self.shownHost(of: request, workbench.environment)
        written = Credentials.masked(url: host) + Credentials.masked(url: request.path)
        columns = TextWidth.of(request.method.rawValue) + 1 + TextWidth.of(written)
        let resolved = workbench.address(captures(workbench)).map { Credentials.masked(url: $0) }
        address = resolved == written ? nil : resolved
        // A template at the start may stand for a host.
        target = resolved ?? (request.isAbsolute || request.path.hasPrefix("{{") ? request.path : nil)
    }

    /// The part of the host that shows before the path, with the slash that the path lacks; empty for a URL of its own, and
    /// before a template, which may be one.
    static func shownHost(of request: SavedRequest, _ environment: Environment?) -> String {
        guard let host = environment?.host, !request.isAbsolute, !request.path.hasPrefix("{{"),
            request.target.problem == nil
        else { return "" }
        let first = request.path.utf8.first
        return first.map { "/?#".utf8.contains($0) } ?? true ? host : host + "/"
    }

    /// `{{nope}} has no value in prod and loc; "odd" uses it`
    private static func undefined(_ workbench: Workbench) -> [String] {
        guard case .file? = workbench.shared?.node, let collection = workbench.shownCollection else { return [] }
        let uses = workbench.uses(in: collection)
        return Set(uses.undefined.values.joined()).sorted().map { name in
            let places = uses.undefined.filter { $0.value.contains(name) }.keys.sorted()
            let users = uses.requests[name]?.compactMap { collection.request($0)?.name } ?? []
            let user = users.first.map {
                users.count > 1 ? "; \($0) and \(users.count - 1) more use it" : "; \($0) uses it"
            }
            return "{{\(name)}} has no value in \(places.joined(separator: ", "))" + (user ?? "")
        }
    }

    private mutating func captures(_ workbench: Workbench) -> CaptureIndex? {
        let file = workbench.shownContextIndex
        if let captures, captures.file == file, captures.revision == workbench.revision { return captures.index }
        let index = workbench.shownCollection.map(CaptureIndex.init)
        captures = Captures(file: file, revision: workbench.revision, index: index)
        return index
    }

    func rows(in workbench: Workbench, _ tab: RequestTab) -> [FormRow] {
        isCurrent(workbench, tab) ? formRows : Self.rows(workbench, tab, workbench.inheritance)
    }

    /// The names of the tabs, each with a summary of its contents.
    func titles(in workbench: Workbench, _ tab: RequestTab) -> [String] {
        isCurrent(workbench, tab) ? tabTitles : Self.titles(workbench, workbench.inheritance)
    }

    func body(in workbench: Workbench, _ tab: RequestTab) -> BodyText? {
        guard tab == .body else { return nil }
        return isCurrent(workbench, tab) ? bodyText : BodyText(workbench.subject?.body)
    }

    private func isCurrent(_ workbench: Workbench, _ tab: RequestTab) -> Bool {
        item == workbench.subjectNode && revision == workbench.revision && self.tab == tab
    }

    private static func rows(_ workbench: Workbench, _ tab: RequestTab, _ inheritance: Inheritance?) -> [FormRow] {
        workbench.subject.map {
            RequestForm.rows(of: tab, in: $0, ofSettings: workbench.shared != nil, inheritance: inheritance)
        } ?? []
    }

    private static func titles(_ workbench: Workbench, _ inheritance: Inheritance?) -> [String] {
        workbench.subject.map { RequestTab.titles(of: $0, inheritance, ofSettings: workbench.shared != nil) } ?? []
    }
}
