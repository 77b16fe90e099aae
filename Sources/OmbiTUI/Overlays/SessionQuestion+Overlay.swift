import OmbiWorkspace

extension SessionQuestion {
    /// The overlay that asks it.
    var overlay: Overlay {
        switch subject {
        case .secret(let question): .prompt(PromptOverlay(.secret(question, id)))
        case .trust(let request): .question(Self.question(request, id))
        }
    }

    private static let maximumLines = 8

    private static func question(_ request: TrustRequest, _ id: ID) -> QuestionOverlay {
        let file = request.file.split(separator: "/").last.map(String.init) ?? request.file
        let change = request.isChanged ? "\(file) has changed since it was trusted:" : "What \(file) does:"
        // Changes first: they may be all that fits.
        let sorted = request.lines.filter { $0.change != .same } + request.lines.filter { $0.change == .same }
        let shown = sorted.prefix(maximumLines).map { line in "  " + line.marked(in: request) }
        let rest = request.lines.count - shown.count
        let lines =
            [change] + shown + (rest > 0 ? ["  and \(rest) more: ombi trust \(file) shows them"] : [])
            + ["", "Trust it until one of these changes?"]
        return QuestionOverlay(
            lines: lines, yes: .init("trust it", .app(.answer(id, "yes"))), no: .init("do not trust it", nil),
            onLeave: .app(.answer(id, nil)))
    }
}
