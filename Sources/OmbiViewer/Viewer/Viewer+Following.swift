import OmbiDocument
import OmbiTerminal

/// Following a body that arrives: the cursor stays at its end until it is moved away.
extension Viewer {
    /// True while more may come.
    var isArriving: Bool { !(body?.document.isComplete ?? true) && interruption == nil }

    /// True for content whose newest row matters most.
    var isLog: Bool { if case .events? = body?.document.shape { true } else { false } }

    /// True for content whose filters go on while it arrives.
    static func isLive(_ document: BodyDocument) -> Bool {
        guard document.raw.count <= maximumLiveBytes else { return false }
        return if case .events = document.shape { true } else { document.kind == .jsonLines }
    }

    /// A larger body is filtered again once all of it is there.
    private static let maximumLiveBytes = 16 << 20

    mutating func toggleFollowing() -> [ViewerEffect] {
        guard isArriving else { return [.notify(.info, "All of it is here; G goes to the end")] }
        isFollowing.toggle()
        goToEnd()
        return []
    }

    /// The first byte of the row under the cursor, in the body itself.
    package var offset: Int? { body.map { $0.rows.range(at: $0.cursor).lowerBound } }

    /// Puts the cursor where that of the viewer before was.
    mutating func goToStart() {
        guard results.isEmpty, let start, let document = page?.document,
            document.raw.count > start || document.isComplete
        else { return }
        self.start = nil
        let rows = pageRows
        page?.go(toByte: start, page: rows)
    }

    /// Keeps the cursor at the end, where it follows.
    mutating func goToEnd() {
        guard isFollowing, line == nil || line?.subject == .filter || line?.subject == .join else { return }
        let rows = pageRows
        page?.move(.bottom, page: rows)
    }

    /// Leaves the end when the cursor does, and follows again from there.
    mutating func followCursor() {
        guard isArriving, let page, !page.rows.isEmpty else { return }
        let isAtEnd = page.cursor >= page.rows.last
        if !isAtEnd { isFollowing = false } else if isLog { isFollowing = true }
    }
}
