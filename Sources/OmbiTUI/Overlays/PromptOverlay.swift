/// A prompt for one line of text.
struct PromptOverlay: Equatable, Sendable {
    /// The purpose of the text.
    enum Subject: Equatable, Sendable {
        case rename(ItemID)
        case newRequest(after: TreeNode)
        case newFolder(after: TreeNode)
        case firstRequest(after: TreeNode)
        case newCollection
        case newHost(name: String, path: String?)
        /// The collection that a scratch request begins.
        case newHome
        /// The collection that becomes of another tool's file, at that path and of that format.
        case newFile(of: String, format: String, quits: Bool)
        /// Collections to open.
        case path
        case newEnvironment
        case renameEnvironment(String)
        /// The name of a protected environment, before a request may change something there.
        case send(String, toProtected: String)
        /// The name of a protected environment, before all of a run may change something there.
        case confirm(String, toProtected: String, Action)
        /// The value of a secret, for which a run waits.
        case secret(SecretQuestion, SessionQuestion.ID)
        /// The address at which the browser of a sign-in has ended.
        case redirect(to: String, SignIn.ID)
        /// The variable that captures a value of the response.
        case capture(path: String)
        case cookie(KeptCookie)
        case message
        /// The time of an incident. A form alone is about the one that was proposed.
        case incident(proposed: String)
        /// The name of this moment.
        case moment
        /// The runs that Statistics sums up.
        case statistics
        /// A curl command or a URL.
        case curl
        /// The same on the start screen, to send at once.
        case first
        case watch(String)

        fileprivate var title: String {
            switch self {
            case .capture: "Capture in the variable"
            case .redirect: "Address that the browser was sent to"
            case .incident: "Report of an incident"
            case .moment: "Mark this moment"
            case .statistics: "Runs in the statistics"
            case .curl: "Import a curl command or a URL"
            case .first: "Send a URL or a curl command"
            case .message: "Message (Enter sends, Esc closes)"
            case .watch(let name): "Watch \(name)"
            case .cookie(let cookie): "New value of \(cookie.name)"
            case .rename: "Rename"
            case .newRequest: "Name of the new request"
            case .newFolder: "Name of the new folder"
            case .firstRequest: "Name of the first request"
            case .newCollection, .newHome: "Name of the new collection"
            case .newHost(let name, _): "Base URL of \(name) (may be empty)"
            case .newFile: "Path of the new collection"
            case .path: "Path of a collection or a folder"
            case .newEnvironment: "Name of the new environment"
            case .renameEnvironment(let name): "New name of \(name)"
            case .send, .confirm: "Protected"
            case .secret(let question, _): "Secret \(question.name)"
            }
        }

        fileprivate var lines: [String] {
            switch self {
            case .capture(let path): [path]
            case .redirect(let address, _): ["It begins with \(address)?", "The page itself may show an error."]
            case .send(let request, let environment):
                [
                    request, "goes to the protected environment \(environment).",
                    "Type its name to send, Esc goes back.",
                ]
            case .confirm(let what, let environment, _):
                [what, "in the protected environment \(environment).", "Type its name to run it, Esc goes back."]
            case .secret(let question, _): Self.lines(of: question)
            case .newFile(let path, let format, _):
                ["\(path) is \(format), read-only.", "It stays as it is; the new file takes its place here."]
            case .incident:
                [
                    "When? 14:05..14:20, 2026-11-22T14:05..14:20 or 2h",
                    "It becomes Markdown; add html or har for another format, bundle for a file to open.",
                ]
            case .moment: ["Its name, such as deploy 1.4.2; from a script: ombi mark --help"]
            case .statistics: ["last 20, since 14:05, 14:05..14:20, since 2h (ago), or all"]
            case .curl:
                [
                    "Paste it, here or outside of all fields: it becomes a scratch request.",
                    "The path of another tool's file opens it, read-only.",
                ]
            case .first: ["Enter sends it. The path of a file opens the file."]
            case .watch:
                [
                    "Sends it at this interval, and says what changes.",
                    "5s, 5s until passes, 5s until fails, or 20 times",
                ]
            default: []
            }
        }

        private static func lines(of question: SecretQuestion) -> [String] {
            var lines = ["\(question.file): \(question.request) needs {{\(question.name)}} of \(question.environment)."]
            if !question.words.isEmpty { lines.append("The file says: \"\(question.words)\"") }
            if let variable = question.variable { lines.append("\(variable), which it reads, is not set.") }
            lines += question.destinations.map { "It goes to \($0)." }
            return lines + ["It is kept in memory until Ombi ends."]
        }

        /// The reason why a text is not accepted; nil for one that is.
        fileprivate func problem(with text: String) -> String? {
            switch self {
            case .capture: Self.variableProblem(text)
            case .send(_, let environment), .confirm(_, let environment, _):
                text == environment ? nil : "that is not its name"
            case .redirect: text.contains("=") ? nil : "paste all of it, with what follows the ?"
            case .newHost: Workbench.problem(ofHost: text)
            case .newFile(let path, _, _): Workbench.problem(ofNewFile: text, from: path)
            case .incident(let range): IncidentOrder.problem(with: IncidentOrder.text(text, proposed: range))
            case .moment: HistoryMark.problem(ofName: text)
            case .statistics: StatisticsRange(text) == nil ? StatisticsRange.form : nil
            case .watch: WatchPlan(text) == nil ? "write 5s, 5s until passes, 5s until fails or 20 times" : nil
            case .curl, .first: Workbench.problem(ofPaste: text)
            case .secret, .message: text.isEmpty ? "type it, or Esc goes back" : nil
            case .rename, .newRequest, .newFolder, .firstRequest, .newCollection, .newHome:
                text.trimmed.isEmpty ? "type a name, or Esc goes back" : nil
            case .path: text.trimmed.isEmpty ? "type a path, or Esc goes back" : nil
            default: nil
            }
        }

        private static func variableProblem(_ name: String) -> String? {
            do throws(FieldError) { try Field.checkVariableName(name) } catch { return error.message }
            return nil
        }

        fileprivate func action(_ text: String) -> Action {
            switch self {
            case .capture(let path): .request(.capture(text, path: path))
            case .redirect(_, let id): .response(.submitRedirect(text, for: id))
            case .cookie(let cookie): .response(.setCookie(cookie, text))
            case .incident(let range): .app(.writeIncident(IncidentOrder.text(text, proposed: range)))
            case .moment: .app(.markMoment(text))
            case .statistics: .response(.limitStatistics(StatisticsRange(text) ?? .all))
            case .curl: .files(.paste(text))
            case .first: .files(.send(text))
            case .message: .run(.sendMessage(.text(text)))
            case .watch: WatchPlan(text).map { .run(.watch($0)) } ?? .leave
            case .confirm(_, _, let action): action
            case .rename(let id): .tree(.rename(id, text))
            case .newRequest(let node), .firstRequest(let node): .tree(.addRequest(text, at: node))
            case .newFolder(let node): .tree(.addFolder(text, at: node))
            case .newCollection: .tree(.askForHost(name: text, path: nil))
            case .newHost(let collection, let path): .tree(.begin(name: collection, host: text, path: path))
            case .newHome: .tree(.saveInNew(text))
            case .newFile(let path, _, let quits): .files(.saveForeign(path: path, to: text, quits: quits))
            case .path: .tree(.openPath(text))
            case .newEnvironment: .environments(.add(text))
            case .renameEnvironment(let name): .environments(.rename(name, to: text))
            case .send: .run(.sendProtected)
            case .secret(_, let id): .app(.answer(id, text))
            }
        }

        fileprivate var isMasked: Bool { if case .secret = self { true } else { false } }
    }

    let subject: Subject
    private(set) var field: TextField
    private var problem: String?

    /// - Parameter isSelected: what is typed takes the place of the text.
    init(_ subject: Subject, text: String = "", isSelected: Bool = false) {
        self.subject = subject
        field = TextField(text)
        if isSelected { field.perform(.selectAll) }
    }

    /// Returns the action with the text; nil while the prompt stays open.
    mutating func handle(_ action: Action, in screen: Rect) -> [Action]? {
        switch action {
        case .mouse(.click(let point)): click(point, selecting: false, in: screen)
        case .mouse(.drag(let point)): click(point, selecting: true, in: screen)
        // A field is one line: the line breaks of a command would be lost in it.
        case .text(.insert(let text)) where [.curl, .first].contains(subject) && text.contains { $0.isNewline }:
            problem = subject.problem(with: text)
            return problem == nil ? [.files(.paste(text))] : nil
        case .text(let edit):
            field.perform(edit)
            problem = nil
        case .accept, .nextField:
            problem = subject.problem(with: field.text)
            return problem == nil ? [subject.action(field.text)] : nil
        default: break
        }
        return nil
    }

    private mutating func click(_ point: Point, selecting: Bool, in screen: Rect) {
        let place = inside(in: screen).line(texts(in: screen).lines.count)
        guard selecting || place.contains(point) else { return }
        field.click(column: point.column - place.column, in: place.columns, selecting: selecting)
    }

    /// True for the question about a sign-in, which may end by itself.
    var isOfSignIn: Bool { if case .redirect = subject { true } else { false } }

    /// The actions of leaving it, where something waits for the answer.
    var onLeave: [Action] { if case .secret(_, let id) = subject { [.app(.answer(id, nil))] } else { [] } }

    /// The lines above the field, and those of the problem below it.
    private func texts(in screen: Rect) -> (lines: [String], problem: [String]) {
        let room = screen.columns - 4
        let lines = OverlayFrame.wrapped(subject.lines, columns: room)
        let columns = lines.reduce(40) { max($0, TextWidth.of($1)) }
        let problem = problem.map { ["✗ " + $0.asSentence] } ?? []
        return (lines, OverlayFrame.wrapped(problem, columns: subject == .message ? room : min(columns, room)))
    }

    private func inside(in screen: Rect) -> Rect {
        let (lines, problem) = texts(in: screen)
        let rows = lines.count + 1 + problem.count
        if subject == .message {
            // At the top, so that the newest messages stay in sight.
            return Rect(
                column: screen.column + 2, row: screen.row + 1, columns: max(1, screen.columns - 4), rows: rows)
        }
        let columns = lines.reduce(40) { max($0, TextWidth.of($1)) }
        return OverlayFrame.inside(columns: min(columns, screen.columns - 4), rows: rows, in: screen)
    }

    func draw(on surface: inout Surface, in screen: Rect) -> Point? {
        let inside = OverlayFrame.draw(subject.title, around: inside(in: screen), on: &surface)
        let (lines, problem) = texts(in: screen)
        for (index, line) in lines.enumerated() {
            surface.write(line, at: inside.line(index).origin, limit: inside.columns)
        }
        for (index, line) in problem.enumerated() {
            let place = inside.line(lines.count + 1 + index)
            surface.write(line, at: place.origin, style: Style(.failure), limit: place.columns, clip: inside)
        }
        let shown = subject.isMasked ? TextField(String(repeating: "•", count: field.text.count)) : field
        return shown.draw(on: &surface, in: inside.line(lines.count))
    }
}
